// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import Testing

@testable import Remoting

@Suite struct ExchangeStateTests {
    private func isZero(_ bytes: ByteBuffer) -> Bool { bytes.readableBytesView.allSatisfy { $0 == 0 } }

    @Test("the received bytes of a reply that may repeat a secret are wiped, within its limit and beyond")
    func wiped() {
        for (storage, isWiped) in [(ReplyStorage.wiped(10), true), (.whole(10), false)] {
            var state = ExchangeState()
            state.requestSent(storage)
            _ = state.received(HTTPResponseHead(version: .http1_1, status: .ok))
            let (within, beyond) = (ByteBuffer(string: "sesame"), ByteBuffer(string: "sesame"))
            guard case .wait = state.received(within) else { return #expect(Bool(false)) }
            guard case .fail(.tooLarge(limit: 10)) = state.received(beyond) else { return #expect(Bool(false)) }
            #expect(isZero(within) == isWiped)
            #expect(isZero(beyond) == isWiped)
        }
    }

    @Test("a body of chunks of one byte has no limit of its own, bytes without a body have one")
    func framing() {
        var framing = FramingAllowance()
        for _ in 0..<FramingAllowance.limit {
            framing.add(received: 6)
            framing.add(body: 1)
            guard framing.isKept else { return #expect(Bool(false)) }
        }
        framing.add(received: FramingAllowance.limit)
        #expect(framing.isKept)
        framing.add(received: 1)
        #expect(!framing.isKept)
        // A read of any size that is the body.
        framing = FramingAllowance()
        framing.add(received: 4 * FramingAllowance.limit)
        framing.add(body: 4 * FramingAllowance.limit)
        #expect(framing.isKept)
    }

    @Test("what has arrived of a reply in chunks is passed on when it is held no longer, from the end of its header on")
    func passedOn() {
        for (first, rest) in [(27, 1), (28, 0), (100, 0)] {
            var state = ExchangeState()
            state.requestSent(.pieces(1 << 16))
            _ = state.received(HTTPResponseHead(version: .http1_1, status: .ok))
            _ = state.received(ByteBuffer(repeating: 1, count: first))
            #expect(state.isHolding)
            var action = state.passOn()
            if rest > 0 {
                guard case .wait = action else { return #expect(Bool(false)) }
                action = state.received(ByteBuffer(repeating: 1, count: rest))
            }
            guard case .begin(let reply) = action else { return #expect(Bool(false)) }
            #expect(reply.body.readableBytes == first + rest && !state.isHolding)
            guard case .pass = state.received(ByteBuffer(repeating: 1, count: 1)) else { return #expect(Bool(false)) }
        }
        var whole = ExchangeState()
        whole.requestSent(.whole(1 << 16))
        _ = whole.received(HTTPResponseHead(version: .http1_1, status: .ok))
        _ = whole.received(ByteBuffer(repeating: 1, count: 100))
        guard case .wait = whole.passOn() else { return #expect(Bool(false)) }
    }
}
