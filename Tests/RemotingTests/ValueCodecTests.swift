// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TestSupport
import Testing

@testable import Remoting

@Suite struct ValueCodecTests {
    @Test("every value survives an encoding round trip", arguments: 0..<2000)
    func roundTrip(seed: Int) throws {
        var random = RandomValue(seed: UInt64(seed))
        let (type, value) = random.pair()
        var writer = BinMessageWriter()
        writer.write(value)
        var reader = BinMessageReader(writer.buffer)
        #expect(try reader.readValue(type, random.catalog) == value)
        #expect(reader.remaining == 0)
    }

    @Test("a value truncated at any byte is malformed", arguments: 0..<150)
    func truncation(seed: Int) throws {
        var random = RandomValue(seed: UInt64(seed))
        let (type, value) = random.pair()
        var writer = BinMessageWriter()
        writer.write(value)
        for length in 0..<writer.buffer.readableBytes {
            var reader = BinMessageReader(try #require(writer.buffer.getSlice(at: 0, length: length)))
            #expect(throws: RemotingError.self) { try reader.readValue(type, random.catalog) }
        }
    }

    @Test("mutated bytes decode to a value of bounded size or throw", arguments: 0..<300)
    func mutation(seed: Int) throws {
        var random = RandomValue(seed: UInt64(seed))
        var numbers = SeededRandom(seed: UInt64(seed) &* 77)
        let (type, value) = random.pair()
        var writer = BinMessageWriter()
        writer.write(value)
        let original = writer.buffer
        guard original.readableBytes > 0 else { return }
        for _ in 0..<100 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                let interesting: [UInt8] = [0, 1, 0x20, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &numbers)]
                bytes.setInteger(
                    interesting[Int.random(in: 0..<7, using: &numbers)],
                    at: Int.random(in: 0..<bytes.writerIndex, using: &numbers)
                )
            }
            var reader = BinMessageReader(bytes)
            guard let read = try? reader.readValue(type, random.catalog) else { continue }
            var again = BinMessageWriter()
            again.write(read)
            #expect(again.buffer.readableBytes <= 4 * original.readableBytes + 64)
        }
    }

    @Test("mutated messages decode or throw", arguments: 0..<20)
    func messageMutation(seed: Int) throws {
        var numbers = SeededRandom(seed: UInt64(seed))
        for vector in try Vector.all() where vector.kind == "bin-response" {
            for _ in 0..<20 {
                var bytes = vector.bytes
                let position = Int.random(in: 5..<bytes.writerIndex, using: &numbers)
                bytes.setInteger(UInt8.random(in: .min ... .max, using: &numbers), at: position)
                guard var reader = try? ReplyMessage.values(of: bytes) else { continue }
                let before = reader.remaining
                _ = try? reader.readVariant()
                #expect(reader.remaining <= before)
            }
        }
    }

    @Test(
        "counts larger than the message are rejected before memory is allocated",
        arguments: [
            (RemotingType.array(of: .integer), "01ffffff7f"), (.array(of: .structure("T")), "01ffffffff"),
            (.binary, "01ffffff7f"), (.utf8String, "ffffffff"), (.wideString, "ffffff7f00"),
            (.variant, "0c20000000000000ffffff7f"), (.variant, "0c20000000000080ffffff7f"),
            (.variant, "0c200000ffffff7f00000080"), (.variant, "09000000"), (.variant, "0c000000"), (.binary, "02"),
            (.decimal, "000000000000000000000000" + "00001d00"), (.utf8String, "01000000ff"),
        ]
    )
    func hostileCounts(type: RemotingType, hex: String) {
        var reader = BinMessageReader(ByteBuffer(hex: hex))
        #expect(throws: RemotingError.self) { try reader.readValue(type) }
    }

    @Test("nesting is limited")
    func depth() {
        var writer = BinMessageWriter()
        for _ in 0..<40 {
            for number in [0x200C, 0, 0] { writer.write(Int32(number)) }
        }
        writer.write(Int32(0))
        var deep = BinMessageReader(writer.buffer)
        #expect(throws: RemotingError.malformed(reason: "nested too deeply")) { try deep.readVariant() }
        var deeper = BinMessageReader(writer.buffer, limits: WireLimits(depth: 40))
        #expect(throws: Never.self) { try deeper.readVariant() }
    }

    @Test("the element limit counts over all arrays of a message")
    func elements() throws {
        var writer = BinMessageWriter()
        let row = RemotingValue.array([.binary(nil), .binary(nil), .binary(nil)])
        writer.write(.array([row, row, row]))
        let type = RemotingType.array(of: .array(of: .binary))
        var enough = BinMessageReader(writer.buffer, limits: WireLimits(elements: 12))
        #expect(throws: Never.self) { try enough.readValue(type) }
        var short = BinMessageReader(writer.buffer, limits: WireLimits(elements: 11))
        #expect(throws: RemotingError.malformed(reason: "more than 11 elements")) { try short.readValue(type) }
    }

    @Test("the text of decimals is exact", arguments: ["0", "-7", "12.50", "0.05", "79228162514264337593543950335"])
    func decimalText(text: String) {
        #expect(Decimal96(text)?.description == text)
    }

    @Test("parsing rejects invalid decimals and GUIDs")
    func refusedTexts() {
        for text in ["", "-", "1.", ".5", "1e3", "79228162514264337593543950336", "1.2.3"] {
            #expect(Decimal96(text) == nil)
        }
        #expect(Currency("4.35")?.scaled == 43_500)
        #expect(Currency("1.23456") == nil)
        #expect(GUID("{01234567-89ab-cdef-0123-456789abcde}") == nil)
        #expect(GUID("01234567-89AB-CDEF-0123-456789ABCDEF")?.text == "{01234567-89ab-cdef-0123-456789abcdef}")
    }

    @Test("times are compared in milliseconds, and of times before 1899-12-30 only whole days are converted")
    func times() {
        #expect(DateTime(unixMilliseconds: 1_577_934_245_123).unixMilliseconds == 1_577_934_245_123)
        // As a division of the milliseconds since 1899-12-30; a sum of two quotients is rounded twice.
        #expect(DateTime(unixMilliseconds: 1_748_772_672_999).days == 3_957_934_272_999.0 / 86_400_000)
        #expect(DateTime(unixMilliseconds: .max).isCertain == false)
        #expect(DateTime(days: -0.75).unixMilliseconds == nil)
        #expect(DateTime(days: -693_593).text == "0001-01-01T00:00:00" && DateTime(days: -693_594).text == nil)
        #expect(DateTime(days: .nan).unixMilliseconds == nil)
        #expect(DateTime(days: 1e300).unixMilliseconds == nil)
    }
}
