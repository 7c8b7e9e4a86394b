// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import Remoting

@Suite struct BinMessageTests {
    private let body = ByteBuffer(repeating: 0x41, count: 10_000)

    @Test("the example header of the vendor's documentation decodes as an exception")
    func documentedHeader() throws {
        var bytes = ByteBuffer(hex: "524f3130370001000000000018 81480f0dbe460d9af75a6583297a88")
        let header = try MessageHeader(from: &bytes)
        #expect(header.kind == .exception)
        #expect(!header.isCompressed)
        #expect(bytes.readableBytes == 0)
    }

    @Test("a header survives an encoding round trip", arguments: MessageKind.allCases)
    func headerRoundTrip(kind: MessageKind) throws {
        let header = MessageHeader(kind: kind, isCompressed: true, clientID: ClientID())
        var bytes = ByteBuffer()
        header.write(to: &bytes)
        #expect(bytes.readableBytes == MessageHeader.byteCount)
        #expect(try MessageHeader(from: &bytes) == header)
    }

    @Test("decoding an AES envelope throws aesEnvelope")
    func envelope() {
        #expect(throws: RemotingError.aesEnvelope) { try BinMessage(decoding: ByteBuffer(string: "ROENVAES...")) }
    }

    @Test("a body is compressed from the threshold on and survives a round trip")
    func compression() throws {
        let message = BinMessage(header: MessageHeader(clientID: .example), body: body)
        let plain = message.encoded(compressingFrom: 10_001)
        let small = message.encoded(compressingFrom: 10_000)
        #expect(plain.readableBytes == 10_028)
        #expect(small.readableBytes < 200)
        #expect(try BinMessage(decoding: plain).body == body)
        #expect(try BinMessage(decoding: small).body == body)
    }

    @Test("inflating a zlib bomb stops at the limit")
    func bomb() {
        let bomb = BinMessage(header: MessageHeader(clientID: .example), body: ByteBuffer(repeating: 0, count: 8 << 20))
        let bytes = bomb.encoded(compressingFrom: 0)
        #expect(bytes.readableBytes < 16 << 10)
        #expect(throws: RemotingError.tooLarge(limit: 1 << 20)) {
            try BinMessage(decoding: bytes, limits: WireLimits(message: 1 << 20))
        }
    }

    @Test("the limits on plain and compressed bytes are enforced")
    func sizeLimits() {
        let message = BinMessage(header: MessageHeader(clientID: .example), body: body)
        #expect(throws: RemotingError.tooLarge(limit: 9_000)) {
            try BinMessage(decoding: message.encoded(), limits: WireLimits(message: 9_000))
        }
        #expect(throws: RemotingError.tooLarge(limit: 10)) {
            try BinMessage(decoding: message.encoded(compressingFrom: 0), limits: WireLimits(compressed: 10))
        }
    }

    @Test("a damaged, truncated or padded zlib stream is malformed")
    func damagedZlib() throws {
        let good = BinMessage(header: MessageHeader(clientID: .example), body: body).encoded(compressingFrom: 0)
        var flipped = good
        flipped.setInteger(UInt8(0xFF), at: good.writerIndex - 1)
        var padded = good
        padded.writeInteger(UInt8(0))
        let cut = try #require(good.getSlice(at: good.readerIndex, length: good.readableBytes - 1))
        for bytes in [flipped, padded, cut] {
            #expect(throws: RemotingError.self) { try BinMessage(decoding: bytes) }
        }
    }

    @Test(
        "a reply answers the method that its name begins with, or any one if it does not end with Response",
        arguments: [
            ("GetDataResponse", "GetData", true), ("getdataresponse", "GetData", true),
            ("GETDATAResponse", "getData", true), ("GetDataResponse", "UpdateData", false),
            ("GetDataResponse", "GetDataX", false), ("GetDataXResponse", "GetData", false), ("Response", "X", false),
            ("GetResponse", "GetResponse", true), ("Response", "Response", true), ("GetData", "UpdateData", true),
            ("", "UpdateData", true),
        ]
    )
    func names(name: String, method: String, isAnswer: Bool) {
        #expect(ReplyMessage.answers(ByteBuffer(string: name), to: method) == isAnswer)
    }

    @Test("move replaces the ClientID and leaves the rest of header and body unchanged")
    func move() throws {
        let other = ClientID()
        var message = BinMessage(header: MessageHeader(clientID: .example), body: body).encoded(compressingFrom: 0)
        message.setRepeatingByte(7, count: 5, at: message.readerIndex + 7)
        var rest = message
        var sent = ByteBuffer(string: "before")
        try MessageHeader.move(from: &rest, to: &sent, as: other)
        #expect(sent.readString(length: 6) == "before")
        sent.writeImmutableBuffer(rest)
        #expect(try BinMessage(decoding: sent).header.clientID == other)
        #expect(try BinMessage(decoding: sent).body == body)
        var expected = message
        other.withWireBytes { _ = expected.setBytes($0, at: expected.readerIndex + 12) }
        #expect(sent == expected)
        var short = ByteBuffer(string: "RO107")
        #expect(throws: RemotingError.self) { try MessageHeader.move(from: &short, to: &sent, as: other) }
        #expect(short == ByteBuffer(string: "RO107") && sent == expected)
    }
}
