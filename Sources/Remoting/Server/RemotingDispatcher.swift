// SPDX-License-Identifier: Apache-2.0

/// What answers the calls that come to a `RemotingServer`.
package protocol RemotingDispatcher: Sendable {
    /// The values of the reply: first the result, named `Result`, then out parameters.
    ///
    /// - Throws: `RemotingException`, which goes to the client as it is; a `RemotingError` of reading the parameters goes
    ///   as class `Exception` with its description, and any other error as `Exception` without a word of its own.
    func reply(to call: ServerCall) async throws -> [NamedValue]

    /// The events that wait for a client, at most as many as it asks for. They count as delivered.
    ///
    /// - Throws: as `reply(to:)`.
    func events(for poll: PollRequest) async throws -> PollReply

    /// What the parameters of one of its events are called, for polls in JSON.
    func parameters(of event: EventMessage) -> [NamedType]?
}

extension RemotingDispatcher {
    /// A server without events.
    package func events(for poll: PollRequest) async throws -> PollReply {
        PollReply(events: [])
    }

    package func parameters(of event: EventMessage) -> [NamedType]? { nil }
}
