// SPDX-License-Identifier: Apache-2.0

/// What answers the calls that come to a `RemotingServer`.
package protocol RemotingDispatcher: Sendable {
    /// The values of the reply: the result first, then out parameters.
    ///
    /// - Throws: `RemotingException`, which goes to the client as it is; a `RemotingError` of reading the parameters goes
    ///   as class `Exception` with its description, and any other error as `Exception` without a word of its own.
    func reply(to call: RequestMessage) async throws -> BinMessageWriter
}
