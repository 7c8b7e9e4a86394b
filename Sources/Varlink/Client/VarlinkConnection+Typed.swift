// SPDX-License-Identifier: Apache-2.0

internal import JSON

/// Calls with the types that `varlink-generate` generates. They throw `JSONShapeError` if a reply lacks a member, has
/// a member of another type, or has an enum value that the type does not know: the service then has another version
/// of the interface.
extension VarlinkConnection {
    /// Calls a method and waits for its only reply.
    ///
    /// - Throws: `VarlinkError`, `VarlinkClientError` or `JSONShapeError`.
    public func call<Call: VarlinkMethodCall>(_ call: Call, deadline: Duration? = nil) throws -> Call.Reply {
        try Call.Reply(json: try self.call(Call.method, call.json, deadline: deadline))
    }

    /// Calls a method for any number of replies. The parameters are those of the `stream` that takes a method name.
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
        ) { try onReply(try Call.Reply(json: $0)) }
    }

    /// Calls a method that takes secrets. The parameters are those of the `callUpgraded` that takes a method name.
    public func callUpgraded<Call: VarlinkMethodCall>(
        _ call: Call,
        secrets: [UnsafeRawBufferPointer],
        deadline: Duration? = nil
    ) throws -> Call.Reply {
        try Call.Reply(json: try callUpgraded(Call.method, call.json, secrets: secrets, deadline: deadline))
    }
}
