// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TestSupport
import Testing

@testable import VarlinkService

@Suite("Inbound bytes")
struct InboundBytesTests {
    @Test("frames are returned unchanged, however they are read", arguments: 1...5)
    func frames(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let frames: [[UInt8]] = (0..<40).map { _ in
            (0..<Int.random(in: 0..<5_000, using: &random)).map { _ in UInt8.random(in: 1...255, using: &random) }
        }
        var rest = ArraySlice(frames.map { $0 + [0] }.joined())
        var inbound = InboundBytes()
        var read: [[UInt8]] = []
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...9_000, using: &random))
            rest = rest.dropFirst(piece.count)
            var buffer = ByteBuffer(bytes: piece)
            inbound.append(wiping: &buffer)
            while let length = inbound.frameLength() {
                read.append(inbound.withPrefix(length) { Array($0) })
                inbound.consume(length + 1)
            }
        }
        #expect(read == frames)
        #expect(inbound.count == 0)
    }
}
