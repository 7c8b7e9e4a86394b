// SPDX-License-Identifier: Apache-2.0

import JSON
public import Varlink

/// One call of one method with its parameters read, and the way back to its caller.
public struct TypedCall<Parameters: VarlinkMethodCall>: Sendable {
    public let parameters: Parameters

    /// The same call without types: for its peer, its flags, its secrets, and replies that are text already.
    public let untyped: VarlinkCall

    /// - Throws: `JSONShapeError` if a parameter is missing or of another type.
    public init(_ call: VarlinkCall) throws {
        parameters = try Parameters(json: call.parameters)
        untyped = call
    }

    /// Sends the last reply, as `VarlinkCall.reply(_:)`.
    public func reply(_ reply: Parameters.Reply) {
        untyped.reply(reply.json)
    }

    /// Sends one of several replies, as `VarlinkCall.reply(continuing:)`.
    public func reply(continuing reply: Parameters.Reply) async throws {
        try await untyped.reply(continuing: reply.json)
    }
}
