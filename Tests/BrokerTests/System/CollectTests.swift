// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import NIOPosix
import Testing

@Suite("Collected input and movable deadlines")
struct CollectTests {
    @Test("chunks are collected whatever length is declared", arguments: [nil, 0, 5, 3_000, 1 << 40])
    func parts(announced: Int?) {
        var body = ByteBuffer()
        var expected = ByteBuffer()
        for count in [1, 700, 0, 2_000, 299] {
            let part = ByteBuffer(repeating: UInt8(truncatingIfNeeded: count), count: count)
            body.collect(part, of: announced)
            expected.writeImmutableBuffer(part)
        }
        #expect(body == expected)
        #expect(body.storageCapacity <= 2 << 20)
    }

    @Test("a body that fills most of the read buffer is not copied, and a few bytes of a large buffer are")
    func one() throws {
        let read = ByteBuffer(repeating: 1, count: 4_096)
        for (count, isCopied) in [(4_000, false), (100, true)] {
            let part = try #require(read.getSlice(at: 0, length: count))
            var body = ByteBuffer()
            body.collect(part, of: count)
            #expect(body == part)
            let same =
                body.withUnsafeReadableBytes { $0.baseAddress } == part.withUnsafeReadableBytes { $0.baseAddress }
            #expect(same == !isCopied)
        }
    }

    @Test("a deadline fires once at its last time, and not after it was cleared")
    func deadline() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let start = NIODeadline.now()
        let came = try await loop.flatSubmit {
            let done = loop.makePromise(of: NIODeadline.self)
            let moved = MovingDeadline(on: loop) { done.succeed(.now()) }
            moved.move(to: start + .milliseconds(50))
            moved.move(to: start + .seconds(60))
            moved.move(to: start + .milliseconds(100))
            let cleared = MovingDeadline(on: loop) { done.fail(ChannelError.operationUnsupported) }
            cleared.move(to: start + .milliseconds(20))
            cleared.clear()
            let later = MovingDeadline(on: loop) { done.fail(ChannelError.operationUnsupported) }
            later.move(to: start + .milliseconds(20))
            later.move(to: start + .seconds(60))
            done.futureResult.assumeIsolated().whenComplete { _ in
                moved.end()
                later.end()
            }
            return done.futureResult
        }.get()
        #expect(came >= start + .milliseconds(100))
    }
}
