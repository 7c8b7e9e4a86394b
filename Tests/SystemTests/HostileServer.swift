// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

/// A daemon with a login for a server of hostile replies, `Tests/Tools/hostile_server.py`.
final class HostileServer: Sendable {
    let deployment = Deployment()
    let daemon: Supervised
    let pid: Int
    let replies: Int
    private let server: ChildProcess

    /// - Parameter wrapper: a program with its arguments that starts the daemon.
    init(wrapper: [String] = []) async throws {
        daemon = try await deployment.startDaemon(wrapper: wrapper)
        server = try ChildProcess(["/usr/bin/python3", Sources.root + "/Tests/Tools/hostile_server.py"])
        let words = try await Self.line(of: server).split(separator: " ").compactMap { Int($0) }
        replies = try #require(words.last)
        pid = Int(try #require(try await deployment.json("status").objectValue).integer("pid"))
        try await deployment.success("add", "sample", "127.0.0.1:\(words[0])")
        try await deployment.initialiseVault()
        let added = try await deployment.addLogin()
        try #require(added.status == 0, "\(added)")
    }

    /// The socket of an adapter that is not held. The vault is unlocked.
    func open() async throws -> String {
        let passphrase = Deployment.passphrase + "\n"
        try await deployment.success("vault", "unlock", "--passphrase-stdin", input: passphrase)
        return try #require(try await deployment.json("adapter", "open", "sample").objectValue).string("socketPath")
    }

    /// Requests a reply and reads it in chunks.
    ///
    /// - Returns: the number of bytes.
    @discardableResult
    static func take(_ reply: String, of socket: String) async throws -> Int {
        try await BlockingWork.run {
            let stream = try ask(reply, of: socket)
            var count = 0
            while case let piece = try stream.receiveSome(), !piece.isEmpty { count += piece.count }
            return count
        }
    }

    /// A connection on which a reply was requested.
    static func ask(_ reply: String, of socket: String) throws -> UnixStream {
        let stream = try UnixStream(path: socket)
        stream.send(AdapterCall(service: "DataService", method: "GetSchema", strings: [reply]).http)
        return stream
    }

    /// The number of open connections to the server.
    func connections() async throws -> Int {
        server.write("\n")
        return try #require(Int(try await Self.line(of: server)))
    }

    /// Reads one line, which may arrive in parts.
    private static func line(of server: ChildProcess) async throws -> String {
        try await BlockingWork.run {
            var bytes: [UInt8] = []
            while bytes.last != UInt8(ascii: "\n"), case let piece = server.readOutput(), !piece.isEmpty {
                bytes += piece
            }
            return String(decoding: bytes.dropLast(), as: UTF8.self)
        }
    }

    /// The duration of a call to the daemon itself, over a new connection.
    func time(of method: String) async throws -> Duration {
        let path = deployment.socket
        return try await BlockingWork.run {
            try ContinuousClock().measure {
                let stream = try UnixStream(path: path)
                stream.send(Array("{\"method\":\"\(method)\"}\0".utf8))
                let reply = String(decoding: try stream.receiveFrame(), as: UTF8.self)
                guard !reply.contains("\"error\"") else { throw UnixStream.Failure(call: reply, errno: 0) }
            }
        }
    }

    /// A line of the daemon's `/proc/PID/status`, in bytes.
    func memory(_ name: String) throws -> Int {
        let lines = TextFile.text(of: "/proc/\(pid)/status").split(separator: "\n")
        let words = try #require(lines.first { $0.hasPrefix(name + ":") }).split { $0 == " " || $0 == "\t" }
        return try #require(Int(words[1])) << 10
    }

    /// Resets the peak of the daemon's memory, by writing 5 (proc(5)).
    func forgetPeak() throws {
        try #require(TextFile.write("5", to: "/proc/\(pid)/clear_refs"))
    }

    func end() async throws {
        server.closeInput()
        _ = server.wait()
        #expect(try await daemon.end() == 0)
    }
}
