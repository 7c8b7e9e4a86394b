// SPDX-License-Identifier: Apache-2.0

internal import JSON

/// Calls with the types that `varlink-generate` makes. A reply that lacks a member, or has one of another type, is thrown as
/// `VarlinkClientError.malformed`.
extension VarlinkConnection {
    /// Calls a method and waits for its only reply.
    ///
    /// - Throws: `VarlinkError` or `VarlinkClientError`.
    public func call<Call: VarlinkMethodCall>(_ call: Call, deadline: Duration? = nil) throws -> Call.Reply {
        try Self.reply(to: call, try self.call(Call.method, call.json, deadline: deadline))
    }

    /// Calls a method for any number of replies, as `stream` does that takes its name.
    public func stream<Call: VarlinkMethodCall>(
        _ call: Call,
        firstDeadline: Duration? = nil,
        deadline: Duration? = nil,
        output: Int32? = nil,
        onReply: (Call.Reply) throws -> VarlinkStreamDecision
    ) throws {
        try stream(
            Call.method,
            call.json,
            firstDeadline: firstDeadline,
            deadline: deadline,
            output: output
        ) { try onReply(try Self.reply(to: call, $0)) }
    }

    /// Calls a method that takes secrets, as `callUpgraded` does that takes its name.
    public func callUpgraded<Call: VarlinkMethodCall>(
        _ call: Call,
        secrets: [UnsafeRawBufferPointer],
        deadline: Duration? = nil
    ) throws -> Call.Reply {
        try Self.reply(to: call, try callUpgraded(Call.method, call.json, secrets: secrets, deadline: deadline))
    }

    private static func reply<Call: VarlinkMethodCall>(to call: Call, _ json: JSONObject) throws -> Call.Reply {
        do {
            return try Call.Reply(json: json)
        } catch {
            throw VarlinkClientError.malformed("the reply to \(Call.method): \(error)")
        }
    }
}
