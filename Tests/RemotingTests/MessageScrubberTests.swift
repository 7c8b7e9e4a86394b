// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import Platform
import Testing

@testable import Remoting

@Suite struct MessageScrubberTests {
    private let secret = ClientID.example
    private let shown = ClientID(high: 0x1111_2222_3333_4444, low: 0x5555_6666_7777_8888)
    private var scrubber: MessageScrubber { MessageScrubber(hiding: secret, behind: shown) }

    /// Every form in which the secret can occur.
    private var traces: [[UInt8]] {
        let wire = secret.withWireBytes { Array($0) }
        let straight = GUID.textOrder.map { wire[$0] }
        return [wire, straight].flatMap { raw -> [[UInt8]] in
            let text = raw.withUnsafeBytes { GUID(wireBytes: $0) }.text
            let bare = String(text.filter { $0.isHexDigit })
            let texts = [text, String(text.dropFirst().dropLast()), bare].flatMap { [$0, $0.uppercased()] }
            return [raw] + texts.map { Array($0.utf8) } + texts.map { $0.utf16.flatMap { [UInt8($0), 0] } }
        }
    }

    private func dirtyBody() -> ByteBuffer {
        var body = ByteBuffer(string: "begin")
        for trace in traces {
            body.writeBytes(trace)
            body.writeString(" and ")
            body.writeBytes(trace.dropLast())
            body.writeString("x")
        }
        for trace in traces { body.writeBytes(trace) }
        return body
    }

    private func expectClean(_ bytes: ByteBuffer, length: Int) throws {
        let message = try BinMessage(decoding: bytes)
        #expect(!message.header.isCompressed)
        #expect(message.header.clientID == shown)
        #expect(message.body.readableBytes == length)
        for trace in traces {
            #expect(!bytes.contains(trace))
            #expect(!message.body.contains(trace))
        }
    }

    @Test("a scrubbed reply contains no form of the ClientID, compressed or not", arguments: [nil, 0])
    func replies(threshold: Int?) throws {
        let body = dirtyBody()
        for kind in [MessageKind.message, .exception, .event] {
            let message = BinMessage(header: MessageHeader(kind: kind, clientID: secret), body: body)
            let sent = message.encoded(compressingFrom: threshold)
            #expect(try !scrubber.scrubbed(message: sent).header.isCompressed)
            let clean = try scrubber.scrubbed(sent)
            try expectClean(clean, length: body.readableBytes)
            #expect(try BinMessage(decoding: clean).header.kind == kind)
        }
    }

    @Test("events inside a poll reply are scrubbed, including compressed ones")
    func events() throws {
        let event = BinMessage(header: MessageHeader(kind: .event, clientID: secret), body: dirtyBody())
        var writer = BinMessageWriter()
        writer.writeCount(3)
        writer.write(Int32(7))
        writer.write(binary: event.encoded())
        writer.write(binary: event.encoded(compressingFrom: 0))
        writer.write(binary: nil)
        let poll = BinMessage(header: MessageHeader(kind: .pollResponse, clientID: secret), body: writer.buffer)
        let clean = try scrubber.scrubbed(poll.encoded(compressingFrom: 0))
        var reader = BinMessageReader(try BinMessage(decoding: clean).body)
        #expect(try reader.readInt32() == 3)
        #expect(try reader.readInt32() == 7)
        for _ in 0..<2 {
            try expectClean(try #require(try reader.readBinary()), length: event.body.readableBytes)
        }
        #expect(try reader.readBinary() == nil)
        #expect(reader.remaining == 0)
    }

    @Test("the secret is replaced by the tool's own ClientID in the same form and case")
    func replacement() throws {
        var body = ByteBuffer(string: "{01234567-89AB-CDEF-0123-456789abcdef}")
        body.writeClientID(secret)
        let message = BinMessage(header: MessageHeader(clientID: secret), body: body)
        var clean = try BinMessage(decoding: scrubber.scrubbed(message.encoded())).body
        #expect(clean.readString(length: 38) == shown.revealedText().uppercased())
        #expect(clean.readClientID() == shown)
    }

    @Test("an occurrence is found at every offset, and the bytes around it are unchanged")
    func everyPlace() throws {
        for trace in traces {
            for before in 0..<17 {
                for after in [0, 1, 7, 8, 9] {
                    var body = ByteBuffer(repeating: 0x30, count: before)
                    body.writeBytes(trace)
                    body.writeRepeatingByte(0x30, count: after)
                    let clean = scrubber.scrubbedText(body)
                    #expect(clean != body && clean.readableBytes == body.readableBytes)
                    #expect(!clean.contains(trace), "\(before) \(after)")
                    #expect(clean.readableBytesView.prefix(before).allSatisfy { $0 == 0x30 })
                    #expect(clean.readableBytesView.suffix(after).allSatisfy { $0 == 0x30 })
                }
            }
        }
    }

    @Test("adjacent occurrences are all replaced, and a body without any is not copied")
    func manyAndNone() throws {
        var body = ByteBuffer()
        for trace in traces + traces.reversed() { body.writeBytes(trace) }
        let clean = scrubber.scrubbedText(body)
        for trace in traces { #expect(!clean.contains(trace)) }
        let plain = ByteBuffer(repeating: 0x31, count: 1_000)
        let message = BinMessage(header: MessageHeader(clientID: secret), body: plain).encoded()
        let scrubbed = try scrubber.scrubbed(message: message)
        #expect(scrubbed.body == plain && scrubbed.header.clientID == shown)
        let start = message.withUnsafeReadableBytes { $0.baseAddress }
        let bodyStart = scrubbed.body.withUnsafeReadableBytes { $0.baseAddress }
        #expect(bodyStart == start.map { $0 + MessageHeader.byteCount })
    }

    @Test("other bytes are unchanged", arguments: 0..<50)
    func untouched(seed: Int) throws {
        var random = RandomValue(seed: UInt64(seed))
        var body = ByteBuffer(bytes: (0..<20).flatMap { _ in random.bytes() })
        body.writeString("01234567-89ab-cdef-0123-456789abcdee")
        let message = BinMessage(header: MessageHeader(clientID: ClientID()), body: body)
        #expect(try BinMessage(decoding: scrubber.scrubbed(message.encoded())).body == body)
        #expect(scrubber.scrubbedText(body) == body)
    }

    @Test("a login reply that contains the session as text is scrubbed")
    func userInfo() throws {
        let user = RemotingStruct("UserInfo", [.init("SessionID", .utf8String(secret.revealedText()))])
        var values = BinMessageWriter()
        values.write(true)
        values.write(user)
        let message = BinMessage(header: MessageHeader(clientID: secret), body: values.buffer)
        try expectClean(try scrubber.scrubbed(message.encoded()), length: values.buffer.readableBytes)
    }

    @Test("text that is not a message is scrubbed as plain bytes")
    func text() {
        let clean = scrubber.scrubbedText(dirtyBody())
        for trace in traces { #expect(!clean.contains(trace)) }
    }

    @Test("a malformed message is rejected")
    func malformed() {
        let poll = BinMessage(
            header: MessageHeader(kind: .pollResponse, clientID: secret),
            body: ByteBuffer(hex: "02000000000000000105000000")
        )
        for bytes in [ByteBuffer(string: "RO107"), poll.encoded(), ByteBuffer(string: "ROENVAES")] {
            #expect(throws: RemotingError.self) { try scrubber.scrubbed(bytes) }
        }
    }
}
