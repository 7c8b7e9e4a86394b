// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import Testing
import Varlink

@testable import VarlinkService

@Suite("Secrets")
struct SecretTests {
    private static func request(_ limit: Int) -> String {
        #"{"method":"org.example.test.Secret","parameters":{"limit":\#(limit)},"upgrade":true}"#
    }

    private static func framed(_ secret: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(secret.count).littleEndian, Array.init) + secret
    }

    @Test("a secret of any length up to the limit arrives", arguments: [0, 1, 31, 4_096, 65_536])
    func arrives(length: Int) async throws {
        let secret = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        try await TestServer.run { server in
            let reply = try secret.withUnsafeBytes { bytes in
                try server.connect().callUpgraded("org.example.test.Secret", ["limit": 65_536], secrets: [bytes])
            }
            #expect(try reply.integer("length") == Int64(length))
            #expect(try reply.integer("sum") == Int64(secret.reduce(0) { $0 + Int($1) }))
        }
    }

    @Test("several secrets arrive one after another, in one write or in parts")
    func several() async throws {
        try await TestServer.run { server in
            let secrets: [[UInt8]] = [[1, 2], [], [3], [UInt8](repeating: 4, count: 65_536)]
            let request = #"{"method":"org.example.test.Secret","parameters":{"limit":65536,"count":4},"upgrade":true}"#
            for pieceLength in [7, 1_000, 100_000] {
                let peer = try server.connectRaw()
                let message = Array(request.utf8) + [0] + secrets.flatMap(Self.framed)
                for start in stride(from: 0, to: message.count, by: pieceLength) {
                    peer.send(Array(message[start..<min(start + pieceLength, message.count)]))
                }
                #expect(try peer.receive() == #"{"parameters":{}}"#)
                #expect(try peer.receive() == #"{"parameters":{"length":65539,"sum":262150}}"#)
                #expect(try peer.receive() == nil)
            }
        }
    }

    @Test("a secret that is too long is refused by its length alone")
    func tooLong() async throws {
        try await TestServer.run { server in
            let peer = try server.connectRaw()
            peer.send(Self.request(5))
            #expect(try peer.receive() == #"{"parameters":{}}"#)
            peer.send([6, 0, 0, 0])
            let error = #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"secret"}}"#
            #expect(try peer.receive() == error)
            #expect(try peer.receive() == nil)
            let huge = try server.connectRaw()
            huge.send(Array(Self.request(5).utf8) + [0, 255, 255, 255, 255, 1])
            #expect(try huge.receive() == #"{"parameters":{}}"#)
            #expect(try huge.receive() == error)
        }
    }

    @Test("an incomplete secret ends with the connection or by timeout")
    func tooShort() async throws {
        var limits = VarlinkLimits()
        limits.secretTime = .milliseconds(50)
        try await TestServer.run(limits) { server in
            let gone = try server.connectRaw()
            gone.send(Array(Self.request(5).utf8) + [0, 5, 0, 0, 0, 1, 2])
            gone.finishSending()
            #expect(try gone.receive() == #"{"parameters":{}}"#)
            #expect(try gone.receive() == nil)
            let late = try server.connectRaw()
            late.send(Array(Self.request(5).utf8) + [0, 5, 0, 0, 0, 1, 2])
            #expect(try late.receive() == #"{"parameters":{}}"#)
            #expect(try late.receive() == nil)
        }
    }

    @Test("bytes are wiped in the buffers that they came from and were stored in")
    func wiping() {
        var buffer = ByteBuffer(bytes: Array("request\0secret".utf8))
        var inbound = InboundBytes()
        inbound.append(wiping: &buffer)
        buffer.moveReaderIndex(to: 0)
        #expect(Array(buffer.readableBytesView) == Array(repeating: 0, count: 14))
        #expect(inbound.frameLength() == 7)
        inbound.consume(8)
        let before = inbound.withPrefix(6) { $0 }
        #expect(Array(before) == Array("secret".utf8))
        var more = ByteBuffer(bytes: Array("!".utf8))
        inbound.append(wiping: &more)
        let taken = inbound.take(6)
        #expect(Array(before) == Array(repeating: 0, count: 6), "the memory lives on: one byte is left in it")
        #expect(Array(UnsafeRawBufferPointer(start: taken.base, count: 6)) == Array("secret".utf8))
        #expect(inbound.count == 1)
    }
}
