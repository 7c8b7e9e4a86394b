// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite(
    "Input to the daemon's socket",
    .enabled(if: Requirement.allMet([.root], for: "frames"), "needs root, to look into the daemon"),
    .timeLimit(.minutes(2))
)
struct FrameTests {
    private static let rounds = 10_000
    /// Above the limit of a request.
    private static let tooLong = 300 << 10

    @Test("10,000 valid and invalid connections leave no memory or descriptor in use")
    func connections() async throws {
        let deployment = try await Deployment.running()
        let status = try #require(try await deployment.json("status").objectValue)
        let pid = try status.integer("pid")
        // Some memory is allocated once, and kept.
        for round in 0..<500 { try Self.visit(deployment.socket, round) }
        let before = try await DaemonUse(pid: pid)

        // Incomplete requests are closed meanwhile.
        let slow = try ["{\"method\":", "GET /health HTTP/1.1\r\nHo", "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"]
            .map {
                let stream = try UnixStream(path: deployment.socket)
                stream.send(Array($0.utf8))
                return stream
            }
        let start = ContinuousClock.now
        for round in 0..<Self.rounds { try Self.visit(deployment.socket, round) }
        let time = ContinuousClock.now - start
        for stream in slow { #expect(try stream.receive().isEmpty) }

        var after = try await DaemonUse(pid: pid)
        try await eventually {
            after = try await DaemonUse(pid: pid)
            return after.descriptors == before.descriptors
        }
        print(
            """
            \(Self.rounds) connections in \(time): \(before.descriptors) and \(after.descriptors) descriptors, \
            \(before.memory >> 10) and \(after.memory >> 10) KiB
            """
        )
        #expect(after.memory < before.memory + (1 << 20))
        #expect(try await deployment.relctl("list").status == 0)
    }

    /// One connection, whose kind depends on its number.
    private static func visit(_ socket: String, _ number: Int) throws {
        let peer = try UnixStream(path: socket)
        func send(_ text: String) { peer.send(Array(text.utf8)) }
        func answer() throws -> String { String(decoding: try peer.receive(), as: UTF8.self) }
        switch number % 8 {
        case 0: break
        case 1:
            // In two parts.
            send(#"{"method":"org.varlink.serv"#)
            send("ice.GetInfo\"}\0")
            #expect(try peer.receiveFrame().count > 100)
        case 2:
            send("GET /health HTTP/1.1\r\nHost: d\r\n\r\n")
            #expect(try answer().hasSuffix("\r\n\r\nok\n"))
        case 3: send(#"{"method":"org.varlink"#)
        case 4:
            send("{]\0" + #"{"method":"org.varlink.service.GetInfo"}"# + "\0")
            #expect(try peer.receive().isEmpty)
        case 5:
            send("GET /health HTTP/9.9 \u{1}\r\n\r\n")
            #expect(try answer().hasPrefix("HTTP/1.1 400 "))
        case 6:
            send(#"{"method":"org.relativityd.Registry.Watch","more":true}"# + "\0")
            #expect(try peer.receiveFrame().count > 20)
        default:
            guard number % 400 == 7 else {
                send("POST /call/org.relativityd.Registry.List HTTP/1.1\r\nHost: d\r\nContent-Le")
                return
            }
            try huge(peer)
        }
    }

    private static func huge(_ peer: UnixStream) throws {
        // The daemon need not read all of it.
        peer.send(Array(repeating: UInt8(ascii: " "), count: tooLong))
        do {
            #expect(try peer.receive().isEmpty)
        } catch let error as UnixStream.Failure where error.errno == ECONNRESET {}
    }
}
