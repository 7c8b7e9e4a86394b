// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import Remoting

/// Limits on replies that are collected in memory.
@Suite struct ReplyBoundsTests {
    private static func exception(_ className: Int, _ text: Int, fields: Int = 0, compressed: Bool) -> ByteBuffer {
        var body = BinMessageWriter()
        body.write(utf8: String(repeating: "E", count: className))
        body.write(utf8: String(repeating: "t", count: text))
        body.writeRaw { $0.writeRepeatingByte(0, count: fields) }
        return BinMessage(header: MessageHeader(kind: .exception, clientID: .example), body: body.buffer)
            .encoded(compressingFrom: compressed ? 0 : nil)
    }

    @Test("the class, the text and the total size of an exception are limited", arguments: [false, true])
    func exceptions(compressed: Bool) throws {
        let largest = try ReplyMessage.exception(in: Self.exception(256, 64 << 10, compressed: compressed))
        #expect(largest?.className.utf8.count == 256 && largest?.message.utf8.count == 64 << 10)
        #expect(throws: RemotingError.malformed(reason: "class of an exception longer than 256 bytes")) {
            try ReplyMessage.exception(in: Self.exception(257, 1, compressed: compressed))
        }
        #expect(throws: RemotingError.malformed(reason: "text of an exception longer than 65536 bytes")) {
            try ReplyMessage.values(of: Self.exception(1, (64 << 10) + 1, compressed: compressed))
        }
        #expect(throws: RemotingError.tooLarge(limit: WireLimits.exceptionBytes)) {
            try ReplyMessage.exception(in: Self.exception(1, 1, fields: 256 << 10, compressed: compressed))
        }
        #expect(throws: RemotingError.malformed(reason: "negative length")) {
            var body = BinMessageWriter()
            body.write(Int32(-1))
            let message = BinMessage(header: MessageHeader(kind: .exception, clientID: .example), body: body.buffer)
            _ = try ReplyMessage.exception(in: message.encoded())
        }
    }

    @Test("the inflated sizes of the events of a poll count together against the limit")
    func events() throws {
        let event = BinMessage(
            header: MessageHeader(kind: .event, clientID: .example),
            body: ByteBuffer(repeating: 0, count: 1 << 20)
        ).encoded(compressingFrom: 0)
        let scrubber = MessageScrubber(hiding: ClientID(), behind: ClientID())
        func scrub(_ count: Int) throws {
            var body = BinMessageWriter()
            body.writeCount(count)
            body.write(Int32(0))
            for _ in 0..<count { body.write(binary: event) }
            let poll = BinMessage(header: MessageHeader(kind: .pollResponse, clientID: .example), body: body.buffer)
            _ = try scrubber.scrubbed(poll.encoded(), limits: .poll)
        }
        try scrub(3)
        #expect(throws: RemotingError.self) { try scrub(5) }
    }
}
