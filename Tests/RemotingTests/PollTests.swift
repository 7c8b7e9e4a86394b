// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import Remoting

@Suite struct PollTests {
    private let events = [
        EventMessage(sink: "Sink", name: "First", [.init("aText", .utf8String("ü")), .init("aNumber", .integer(7))]),
        EventMessage(sink: "Sink", name: "Second"),
    ]

    @Test("a poll is the header, a number and the ClientID; decoding takes the ClientID from the header")
    func request() throws {
        let bytes = PollRequest(clientID: .example, eventLimit: 10).encoded()
        let id = "67452301ab89efcd0123456789abcdef"
        #expect(bytes.hex == "524f31303700800000000000" + id + "0a000000" + id)
        #expect(try PollRequest(decoding: bytes) == PollRequest(clientID: .example, eventLimit: 10))
        let garbled = ByteBuffer(hex: "524f31303700800000000000" + id + "0a00000078563412bc9af0de123456789abcde0f")
        #expect(try PollRequest(decoding: garbled).clientID == .example)
        for hex in [
            "524f31303700000000000000" + id + "0a000000" + id, "524f31303700800000000000" + id + "ffffffff" + id,
        ] {
            #expect(throws: RemotingError.self) { try PollRequest(decoding: ByteBuffer(hex: hex)) }
        }
    }

    @Test("events survive a round trip, compressed or not", arguments: [nil, 0])
    func reply(threshold: Int?) throws {
        let reply = PollReply(events: events, left: 3)
        let read = try PollReply(decoding: reply.encoded(to: .example).encoded(compressingFrom: threshold))
        #expect(read == reply)
        var parameters = BinMessageReader(read.events[0].parameters)
        #expect(try parameters.readUTF8() == "ü")
        #expect(try parameters.readInt32() == 7)
        #expect(parameters.remaining == 0)
    }

    @Test("decoding rejects bytes that are not a reply to a poll, and throws the exception in a reply")
    func refusals() throws {
        let exception = ReplyMessage.encode(.sessionNotFound, to: .example).encoded()
        #expect(throws: RemotingError.exception(.sessionNotFound)) { try PollReply(decoding: exception) }
        for body in ["", "01000000", "ffffffff00000000", "010000000000000000", "01000000000000000101000000ff"] {
            let message = BinMessage(
                header: .init(kind: .pollResponse, clientID: .example),
                body: ByteBuffer(hex: body)
            )
            #expect(throws: RemotingError.self, "\(body)") { try PollReply(decoding: message.encoded()) }
        }
        let reply = ReplyMessage.encode(BinMessageWriter(), to: try RequestMessage(decoding: Self.request)).encoded()
        #expect(throws: RemotingError.malformed(reason: "not a reply to a poll")) { try PollReply(decoding: reply) }
    }

    private static let request = RequestMessage.writer(clientID: .example, service: "S", method: "M").buffer

    @Test("the inflated sizes of many small events count together against the limit")
    func bomb() throws {
        let event = EventMessage(sink: "S", name: "E", parameters: ByteBuffer(repeating: 0, count: 400_000))
        var writer = BinMessageWriter()
        writer.writeCount(4)
        writer.write(Int32(0))
        for _ in 0..<4 { writer.write(binary: event.encoded(to: .example).encoded(compressingFrom: 0)) }
        let bytes = BinMessage(header: .init(kind: .pollResponse, clientID: .example), body: writer.buffer).encoded()
        #expect(bytes.readableBytes < 4_000)
        #expect(throws: RemotingError.self) { try PollReply(decoding: bytes, limits: WireLimits(message: 1 << 20)) }
        #expect(throws: Never.self) { try PollReply(decoding: bytes, limits: WireLimits(message: 2 << 20)) }
    }
}
