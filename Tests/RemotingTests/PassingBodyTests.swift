// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TestSupport
import Testing

@testable import Remoting

/// Bodies that are scrubbed in chunks give the same result as bodies that are scrubbed as a whole.
@Suite struct PassingBodyTests {
    private static let secret = ClientID.example
    private static let shown = ClientID(high: 0x1111_2222_3333_4444, low: 0x5555_6666_7777_8888)
    private static let scrubber = MessageScrubber(hiding: secret, behind: shown)

    /// Every form of the ClientID, adjacent and between other bytes, and also prefixes of the forms.
    private static func dirty(_ gap: Int) -> ByteBuffer {
        let wire = secret.withWireBytes { Array($0) }
        let text = Array(secret.revealedText().utf8)
        let bare = text.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "}") }
        var bytes = ByteBuffer()
        for form in [wire, text, bare, text.flatMap { [$0, 0] }, bare.flatMap { [$0, 0] }] {
            bytes.writeRepeatingByte(0x30, count: gap)
            bytes.writeBytes(form)
            bytes.writeBytes(form.dropLast())
            bytes.writeBytes(form)
        }
        return bytes
    }

    /// Returns the output if the bytes are fed in chunks of these lengths, repeated as needed.
    private func pass(
        _ bytes: ByteBuffer,
        isCompressed: Bool,
        _ lengths: [Int]
    ) throws(RemotingError) -> (bytes: ByteBuffer, largest: Int) {
        var body = try PassingBody(isCompressed: isCompressed, Self.scrubber.stream)
        var (rest, result, largest, turn) = (bytes, ByteBuffer(), 0, 0)
        while rest.readableBytes > 0 {
            let length = min(rest.readableBytes, lengths[turn % lengths.count])
            turn += 1
            body.feed(rest.readSlice(length: length) ?? ByteBuffer())
            while let pieces = try body.next() {
                largest = max(largest, pieces.reduce(0) { $0 + $1.readableBytes })
                for piece in pieces { result.writeImmutableBuffer(piece) }
            }
        }
        result.writeImmutableBuffer(try body.finish())
        return (result, largest)
    }

    @Test("chunks of any length give the same output as all bytes together, compressed or not", arguments: 0..<17)
    func seams(gap: Int) throws {
        let bytes = Self.dirty(gap)
        let expected = Self.scrubber.scrubbedText(bytes)
        #expect(expected != bytes)
        let packed = try #require(Zlib.deflate(bytes))
        for lengths in [[1], [7], [64, 1], [71], [72, 3], [300], [301, 2, 500], [1 << 20]] {
            #expect(try pass(bytes, isCompressed: false, lengths).bytes == expected, "\(lengths)")
            #expect(try pass(packed, isCompressed: true, lengths).bytes == expected, "\(lengths)")
        }
    }

    @Test("an occurrence across the boundary of two large chunks is found, wherever the boundary is")
    func largeSeams() throws {
        for gap in stride(from: 880, to: 1_100, by: 1) {
            var bytes = ByteBuffer(repeating: 0x31, count: gap)
            bytes.writeString(Self.secret.revealedText())
            bytes.writeRepeatingByte(0x32, count: 3_000 - bytes.readableBytes)
            let clean = try pass(bytes, isCompressed: false, [1_000]).bytes
            #expect(clean == Self.scrubber.scrubbedText(bytes), "\(gap)")
        }
    }

    @Test("random bytes in random chunks are unchanged", arguments: 0..<30)
    func random(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let bytes = ByteBuffer(bytes: (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        let lengths = (0..<50).map { _ in Int.random(in: 1...2_000, using: &random) }
        #expect(try pass(bytes, isCompressed: false, lengths).bytes == bytes)
    }

    @Test("a small input with a large output comes out in chunks of 64 KiB")
    func bound() throws {
        let zeros = ByteBuffer(repeating: 0, count: 5_000_000)
        let packed = try #require(Zlib.deflate(zeros))
        let (bytes, largest) = try pass(packed, isCompressed: true, [packed.readableBytes])
        #expect(bytes == zeros)
        #expect(largest <= PassingBody.pieceBytes)
    }

    @Test("a stream that is truncated, damaged or followed by bytes is an error")
    func faults() throws {
        let packed = try #require(Zlib.deflate(Self.dirty(40)))
        var (more, damaged) = (packed, packed)
        more.writeString("x")
        damaged.setRepeatingByte(0xFF, count: 8, at: packed.readableBytes / 2)
        let cut = try #require(packed.getSlice(at: 0, length: packed.readableBytes - 1))
        for bytes in [more, damaged, cut, ByteBuffer(string: "no zlib at all")] {
            for lengths in [[1], [1 << 20]] {
                #expect(throws: RemotingError.self) { try pass(bytes, isCompressed: true, lengths) }
            }
        }
    }
}
