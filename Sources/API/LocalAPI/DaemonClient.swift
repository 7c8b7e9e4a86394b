// SPDX-License-Identifier: Apache-2.0

import Glibc
public import JSON
public import Varlink

/// A blocking connection to the daemon, for programs that ask one thing and print the answer.
///
/// Every call has a deadline; errors of the API are thrown as `DaemonError`, all others as `VarlinkError` or
/// `VarlinkClientError`.
public final class DaemonClient {
    /// What a call may take that only looks something up.
    public static let quick = Duration.seconds(2)
    /// What a call may take that talks to a server or derives a key.
    public static let slow = Duration.seconds(90)
    /// For calls that may have to wait for a person: for the prompts of others before, for one of their own, and for the server.
    public static let ofPerson = Duration.seconds(300)

    private let connection: VarlinkConnection
    private let path: String

    /// Called with true when a reply, of a stream the first, has taken a second, and with false when that wait is over: so
    /// that a person can be told.
    public var onDelay: ((_ isWaiting: Bool) -> Void)? {
        get { connection.onDelay }
        set { connection.onDelay = newValue }
    }

    /// - Throws: `VarlinkClientError` when no daemon listens on the socket.
    public init(socket path: String = SocketPath.ofClient()) throws {
        self.path = path
        connection = try VarlinkConnection(path: path, deadline: Self.quick)
    }

    /// Calls a method and waits for its only reply.
    ///
    /// - Throws: `DaemonError`, `VarlinkError` or `VarlinkClientError`; `JSONShapeError` for a reply of another version.
    public func call<Call: VarlinkMethodCall>(
        _ call: Call,
        within deadline: Duration = DaemonClient.quick
    ) throws -> Call.Reply {
        try translating {
            try checkAlive(before: deadline)
            return try connection.call(call, deadline: deadline)
        }
    }

    /// Calls a method and gives its reply as it came, for long ones of which little is needed.
    ///
    /// - Parameter members: nil for all, else the only ones of the objects in the reply that are wanted, as
    ///   `VarlinkConnection.call` takes them.
    public func json<Call: VarlinkMethodCall>(
        _ call: Call,
        onlyMembers members: Set<String>? = nil,
        within deadline: Duration = DaemonClient.quick
    ) throws -> JSONObject {
        try translating {
            try checkAlive(before: deadline)
            return try connection.call(Call.method, call.json, onlyMembers: members, deadline: deadline)
        }
    }

    /// Calls a method that takes secrets, in its order. The pointers are used during the call only.
    ///
    /// - Throws: `VarlinkClientError.untrusted` before anything is sent, unless the daemon is the same user's or root's.
    public func call<Call: VarlinkMethodCall>(
        _ call: Call,
        secrets: [UnsafeRawBufferPointer],
        within deadline: Duration = DaemonClient.slow
    ) throws -> Call.Reply {
        let directory = SocketTrust.Directory(of: path)
        if let reason = SocketTrust.fault(peer: connection.peerUser, directory: directory, own: geteuid()) {
            throw VarlinkClientError.untrusted(path: path, reason: reason)
        }
        return try translating {
            try checkAlive(before: deadline)
            return try connection.callUpgraded(call, secrets: secrets, deadline: deadline)
        }
    }

    /// Calls a method that streams, until `onReply` says stop or the daemon ends the stream.
    ///
    /// - Parameters:
    ///   - firstWithin: bounds the wait for the first reply; later ones may take for ever.
    ///   - output: where `onReply` writes to; the stream ends when nobody reads there any more.
    public func stream<Call: VarlinkMethodCall>(
        _ call: Call,
        firstWithin deadline: Duration = DaemonClient.quick,
        output: Int32? = nil,
        onReply: (Call.Reply) throws -> VarlinkStreamDecision
    ) throws {
        try translating {
            try checkAlive(before: deadline)
            try connection.stream(call, firstDeadline: deadline, output: output, onReply: onReply)
        }
    }

    /// Calls a method that streams, as `stream(_:firstWithin:output:onReply:)`, and gives its replies as they come.
    public func streamJSON<Call: VarlinkMethodCall>(
        _ call: Call,
        firstWithin deadline: Duration = DaemonClient.quick,
        output: Int32? = nil,
        onReply: (JSONObject) throws -> VarlinkStreamDecision
    ) throws {
        try translating {
            try checkAlive(before: deadline)
            try connection.stream(Call.method, call.json, firstDeadline: deadline, output: output, onReply: onReply)
        }
    }

    /// The daemon's version, for people.
    public func version() throws -> String {
        try translating { try info().string("version") }
    }

    /// A daemon that hangs is told from one that works for long: it answers a trifle within the short deadline first.
    private func checkAlive(before deadline: Duration) throws {
        guard deadline > Self.quick else { return }
        _ = try info()
    }

    private func info() throws -> JSONObject {
        try connection.call("org.varlink.service.GetInfo", deadline: Self.quick)
    }

    private func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as VarlinkError {
            guard let known = DaemonError(error) else { throw error }
            throw known
        }
    }
}
