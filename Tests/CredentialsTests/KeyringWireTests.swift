// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@Suite("Messages between the daemon and the keyring's helper")
struct KeyringWireTests {
    private static let storeID = [UInt8](0..<16)

    @Test("other bytes are rejected, and accepted bytes are encoded the same")
    func foreignBytes() {
        #expect(KeyringReply([2, 0, 1, 4]) == nil, "more than an item can have")
        #expect(KeyringReply([3, 1, 1, 1]) == nil, "more than a detail can have")
        #expect(KeyringReply([1, 1, 0, 0]) == nil)
        #expect(KeyringReply([]) == nil && KeyringQuestion([]) == nil)
        let question = KeyringQuestion(.store, .key, of: Self.storeID, mayAsk: true, bodyByteCount: 32).bytes
        var accepted = 0
        for index in 0..<6 {
            for value in UInt8.min...UInt8.max {
                var bytes = question
                bytes[index] = value
                guard let read = KeyringQuestion(bytes) else { continue }
                accepted += 1
                #expect(read.bytes == bytes)
            }
        }
        // One version, bytes only for store, 3 items, 2 values for prompting, 255 + 5 lengths up to 1,024.
        #expect(accepted == 1 + 1 + 3 + 2 + 255 + 4)
    }
}
