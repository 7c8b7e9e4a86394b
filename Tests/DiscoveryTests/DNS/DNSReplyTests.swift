// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TestSupport
import Testing

@testable import Discovery

@Suite("Replies of DNS servers")
struct DNSReplyTests {
    private let question: DNSQuestion

    init() throws {
        question = DNSQuestion(name: try #require(DomainName("a.b")), kind: .pointer)
    }

    private func name(_ text: String) throws -> DomainName { try #require(DomainName(text)) }

    @Test("a question is encoded as in the RFC")
    func asking() throws {
        let bytes = question.message(id: 0x0102)
        #expect(bytes == [1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x61, 1, 0x62, 0, 0, 12, 0, 1])
    }

    @Test("records of each type are parsed, with compressed names")
    func records() throws {
        var message = MessageBytes(answers: 6)
        message.record(type: 12, [1, 0x78] + MessageBytes.question)
        message.record(type: 33, [0, 1, 0, 2, 0x1B, 0xBB, 1, 0x68, 0])
        message.record(type: 16, [3, 1, 2, 255, 0])
        message.record(type: 1, [10, 1, 2, 3])
        message.record(type: 28, [0xFD] + [UInt8](repeating: 0, count: 14) + [1])
        message.record(type: 5, MessageBytes.question)
        let reply = try DNSReply(parsing: message.bytes)
        #expect(reply.answers(question, id: 7))
        let place = ServiceLocation(priority: 1, weight: 2, port: 7099, target: try name("h"))
        #expect(
            reply.answers.map(\.content) == [
                .pointer(try name("x.a.b")), .service(place), .text([[1, 2, 255], []]),
                .address(try #require(IPAddress("10.1.2.3"))), .address(try #require(IPAddress("fd00::1"))),
                .alias(try name("a.b")),
            ]
        )
    }

    @Test(
        "a record whose content does not match its type is skipped, and those after it are read",
        arguments: [
            (1, [10, 1, 2]), (1, [10, 1, 2, 3, 4]), (28, [1, 2, 3, 4]), (16, [200, 1]), (12, [5, 1]), (12, []),
            (33, [0, 0, 0, 0, 0, 1]), (12, [0xC0, 0xFF]), (12, [0x40, 0]), (12, [0xC0]), (41, [1, 2]), (99, []),
        ] as [(UInt16, [UInt8])]
    )
    func brokenRecord(type: UInt16, content: [UInt8]) throws {
        var message = MessageBytes(answers: 2)
        message.record(type: type, content)
        message.record(type: 1, [10, 1, 2, 3])
        let reply = try DNSReply(parsing: message.bytes)
        #expect(reply.answers.map(\.content) == [.address(try #require(IPAddress("10.1.2.3")))])
    }

    @Test("a name with a pointer to itself, forward or too far is refused")
    func loops() throws {
        var itself = MessageBytes(answers: 1)
        let here = UInt8(itself.bytes.count)
        itself.record([0xC0, here], type: 1, [10, 1, 2, 3])
        var forward = MessageBytes(answers: 1)
        forward.record([0xC0, here + 4], type: 1, [10, 1, 2, 3])
        var circle = MessageBytes(answers: 1)
        circle.record([1, 0x61, 0xC0, here], type: 1, [10, 1, 2, 3])
        var long = MessageBytes(answers: 1)
        long.record(
            [UInt8]((0..<5).flatMap { _ in [63] + [UInt8](repeating: 0x61, count: 63) }) + [0],
            type: 1,
            [10, 1, 2, 3]
        )
        for message in [itself, forward, circle, long] {
            #expect(throws: DNSError.malformed) { try DNSReply(parsing: message.bytes) }
        }
    }

    @Test("a name with 127 pointers is accepted, and one with 128 is refused")
    func chains() throws {
        func reply(pointers: Int) throws(DNSError) -> DNSReply {
            var message = MessageBytes(answers: 2)
            // A record of an unknown type contains the chain, and the first pointer refers to the question's name.
            let start = message.bytes.count + 12
            var chain = MessageBytes.question
            for index in 0..<(pointers - 2) {
                let target = start + 2 * index
                chain += [0xC0 | UInt8(target >> 8), UInt8(target & 0xFF)]
            }
            let last = start + chain.count - 2
            message.record(type: 99, chain)
            message.record([0xC0 | UInt8(last >> 8), UInt8(last & 0xFF)], type: 1, [10, 1, 2, 3])
            return try DNSReply(parsing: message.bytes)
        }
        #expect(try reply(pointers: 127).answers.map(\.owner) == [name("a.b")])
        #expect(throws: DNSError.malformed) { try reply(pointers: 128) }
    }

    @Test("more records than a message can contain, or names with too many steps, are refused")
    func manyRecords() throws {
        var most = MessageBytes(answers: 4_096)
        for _ in 0..<4_096 { most.record([0], type: 99, []) }
        #expect(try DNSReply(parsing: most.bytes).answers.isEmpty)
        var more = MessageBytes(answers: 4_090, authority: 7)
        for _ in 0..<4_097 { more.record([0], type: 99, []) }
        #expect(throws: DNSError.malformed) { try DNSReply(parsing: more.bytes) }
        var long = MessageBytes(answers: 4_000)
        let start = long.bytes.count + 12
        let name = [UInt8]((0..<127).flatMap { _ in [1, 0x61] }) + [0]
        long.record(type: 99, name)
        for _ in 1..<4_000 { long.record([0xC0, UInt8(start)], type: 99, []) }
        #expect(throws: DNSError.malformed) { try DNSReply(parsing: long.bytes) }
    }

    @Test("a message that is truncated anywhere is refused, and is not read beyond its end")
    func cutOff() throws {
        var message = MessageBytes(answers: 2)
        message.record(type: 12, [1, 0x78] + MessageBytes.question)
        message.record(type: 33, [0, 1, 0, 2, 0x1B, 0xBB, 1, 0x68, 0])
        for count in 0..<message.bytes.count {
            #expect(throws: DNSError.malformed) { try DNSReply(parsing: Array(message.bytes.prefix(count))) }
        }
    }

    @Test("20,000 mutations of a message are parsed or refused without a crash")
    func mutations() throws {
        var message = MessageBytes(answers: 3, authority: 1)
        message.record(type: 12, [1, 0x78] + MessageBytes.question)
        message.record(type: 33, [0, 1, 0, 2, 0x1B, 0xBB, 1, 0x68, 0])
        message.record(type: 16, [3, 1, 2, 255, 0])
        message.record(type: 6, MessageBytes.question + MessageBytes.question + [UInt8](repeating: 0, count: 20))
        var random = SeededRandom(seed: 1)
        var read = 0
        for _ in 0..<20_000 {
            var bytes = message.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if (try? DNSReply(parsing: bytes)) != nil { read += 1 }
        }
        #expect((1..<20_000).contains(read))
    }

    @Test("only the reply to this question is accepted")
    func matching() throws {
        let reply = try DNSReply(parsing: MessageBytes().bytes)
        #expect(reply.answers(question, id: 7))
        #expect(!reply.answers(question, id: 8))
        #expect(!reply.answers(DNSQuestion(name: question.name, kind: .text), id: 7))
        #expect(!reply.answers(DNSQuestion(name: try name("a.c"), kind: .pointer), id: 7))
        #expect(throws: DNSError.malformed) { try DNSReply(parsing: MessageBytes(flags: 0x0180).bytes) }
        #expect(try DNSReply(parsing: MessageBytes(flags: 0x8380, answers: 9).bytes).isTruncated)
    }

    @Test("an answer contains records of its name and its aliases, and the shortest lifetime")
    func answers() throws {
        var message = MessageBytes(answers: 4)
        let other: [UInt8] = [1, 0x63, 0]
        message.record(type: 5, ttl: 30, other)
        message.record(other, type: 12, ttl: 40, [1, 0x78, 0])
        message.record([1, 0x64, 0], type: 12, ttl: 1, [1, 0x79, 0])
        message.record(other, type: 1, ttl: 1, [10, 1, 2, 3])
        let answer = try DNSAnswer(DNSReply(parsing: message.bytes), to: question)
        #expect(answer == DNSAnswer(contents: [.pointer(try name("x"))], ttl: 30))
    }

    @Test("a name that does not exist is an answer with the zone's lifetime, and a refusal is not")
    func negative() throws {
        var missing = MessageBytes(flags: 0x8183, authority: 1)
        let authority = MessageBytes.question + MessageBytes.question + [UInt8](repeating: 0, count: 16)
        missing.record(type: 6, ttl: 90, authority + [0, 0, 0, 20])
        #expect(try DNSAnswer(DNSReply(parsing: missing.bytes), to: question) == DNSAnswer(contents: [], ttl: 20))
        let empty = try DNSReply(parsing: MessageBytes().bytes)
        #expect(try DNSAnswer(empty, to: question) == DNSAnswer(contents: [], ttl: 60))
        let refused = try DNSReply(parsing: MessageBytes(flags: 0x8185).bytes)
        #expect(throws: DNSError.refused(code: 5)) { try DNSAnswer(refused, to: question) }
        var loop = MessageBytes(answers: 1)
        loop.record(type: 5, MessageBytes.question)
        #expect(try DNSAnswer(DNSReply(parsing: loop.bytes), to: question).contents.isEmpty)
    }
}
