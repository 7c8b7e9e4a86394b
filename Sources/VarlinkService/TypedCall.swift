// SPDX-License-Identifier: Apache-2.0

import JSON
public import Varlink

/// A call of one method with its parsed parameters, and the means to reply.
public struct TypedCall<Parameters: VarlinkMethodCall>: Sendable {
    /// The parameters of the call.
    public let parameters: Parameters

    /// The same call without types: for its peer, its flags, its secrets, and replies that are already text.
    public let untyped: VarlinkCall

    /// - Throws: `JSONShapeError` if a parameter is missing or has another type.
    public init(_ call: VarlinkCall) throws {
        parameters = try Parameters(json: call.parameters)
        untyped = call
    }

    /// Sends the last reply, like `VarlinkCall.reply(_:)`.
    public func reply(_ reply: Parameters.Reply) {
        untyped.reply(reply.json)
    }

    /// Sends one of several replies, like `VarlinkCall.reply(continuing:)`.
    public func reply(continuing reply: Parameters.Reply) async throws {
        try await untyped.reply(continuing: reply.json)
    }
}
