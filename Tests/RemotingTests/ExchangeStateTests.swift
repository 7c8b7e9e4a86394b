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
}
