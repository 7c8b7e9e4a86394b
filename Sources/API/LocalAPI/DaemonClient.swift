// SPDX-License-Identifier: Apache-2.0

import Glibc
public import JSON
public import Varlink

/// A blocking connection to the daemon, for programs that make a few calls and print the result.
///
/// Every call has a deadline. Errors of the API are thrown as `DaemonError`, all others as `VarlinkError` or
/// `VarlinkClientError`.
public final class DaemonClient {
    /// The timeout of a call that only reads.
    public static let quick = Duration.seconds(2)
    /// The timeout of a call that contacts a server or derives a key.
    public static let slow = Duration.seconds(90)
    /// The timeout of a call that may wait for the user: for prompts of other calls, for its own prompt, and for the
    /// server.
    public static let interactive = Duration.seconds(300)

    private let connection: VarlinkConnection
    private let path: String
    private var isAnswered = false

    /// Called with true when a reply, or the first reply of a stream, has taken a second, and with false when that wait
    /// is over. A program can use this to show a status line.
    public var onDelay: ((_ isWaiting: Bool) -> Void)? {
        get { connection.onDelay }
        set { connection.onDelay = newValue }
    }

    /// Connects to the daemon.
    ///
    /// - Throws: `VarlinkClientError` if no daemon listens on the socket.
    public init(socket path: String = SocketPath.ofClient()) throws {
        self.path = path
        connection = try VarlinkConnection(path: path, deadline: Self.quick)
    }

    /// Calls a method and waits for its only reply.
    ///
    /// - Throws: `DaemonError`, `VarlinkError` or `VarlinkClientError`, which is `noService` with ECONNRESET if the
    ///   connection was closed before any reply; `JSONShapeError` if the reply belongs to another version.
    public func call<Call: VarlinkMethodCall>(
        _ call: Call,
        within deadline: Duration = DaemonClient.quick
    ) throws -> Call.Reply {
        try translating {
            try checkAlive(before: deadline)
            return try connection.call(call, deadline: deadline)
        }
    }

    /// Calls a method and returns its reply as JSON, for a long reply of which little is needed.
    ///
    /// - Parameter members: the only members to keep of all objects in the reply; nil for all. It is passed to
    ///   `VarlinkConnection.call`.
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

    /// Calls a method that takes secrets, and sends them in order. The pointers are used only during the call.
    ///
    /// - Throws: `VarlinkClientError.untrusted` before anything is sent, unless the daemon runs as the same user or as
    ///   root.
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

    /// Calls a method that streams, until `onReply` stops or the daemon ends the stream.
    ///
    /// - Parameters:
    ///   - firstWithin: the timeout for the first reply; later ones have none.
    ///   - output: the descriptor that `onReply` writes to. The stream ends when its reader has gone.
    public func stream<Call: VarlinkMethodCall>(
        _ call: Call,
        firstWithin deadline: Duration = DaemonClient.quick,
        output: Int32? = nil,
        onReply: (Call.Reply) throws -> VarlinkStreamDecision
    ) throws {
        try translating {
            try checkAlive(before: deadline)
            try connection.stream(call, firstDeadline: deadline, output: output) { reply in
                isAnswered = true
                return try onReply(reply)
            }
        }
    }

    /// Calls a method that streams, like `stream(_:firstWithin:output:onReply:)`, and passes its replies on as JSON.
    public func streamJSON<Call: VarlinkMethodCall>(
        _ call: Call,
        firstWithin deadline: Duration = DaemonClient.quick,
        output: Int32? = nil,
        onReply: (JSONObject) throws -> VarlinkStreamDecision
    ) throws {
        try translating {
            try checkAlive(before: deadline)
            try connection.stream(Call.method, call.json, firstDeadline: deadline, output: output) { reply in
                isAnswered = true
                return try onReply(reply)
            }
        }
    }

    /// The daemon's version, as text.
    public func version() throws -> String {
        try translating { try connection.call(ServiceAPI.GetInfoCall(), deadline: Self.quick).version }
    }

    /// Checks that the daemon responds before a call that may take long: it must answer a short call within the short
    /// deadline.
    private func checkAlive(before deadline: Duration) throws {
        guard deadline > Self.quick else { return }
        // Any reply will do, so it is not read.
        _ = try connection.call(ServiceAPI.GetInfoCall.method, deadline: Self.quick)
        isAnswered = true
    }

    private func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            let value = try body()
            isAnswered = true
            return value
        } catch VarlinkClientError.closed where !isAnswered {
            // A service manager that cannot start the daemon closes the connections to its socket.
            throw VarlinkClientError.noService(path: path, errno: ECONNRESET)
        } catch let error as VarlinkError {
            isAnswered = true
            guard let known = DaemonError(error) else { throw error }
            throw known
        }
    }
}
