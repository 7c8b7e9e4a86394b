// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@Suite("Messages between the daemon and the keyring's helper")
struct KeyringWireTests {
    private static let storeID = [UInt8](0..<16)

    @Test("every question and every reply survives the round trip")
    func roundTrips() {
        for verb in KeyringVerb.allCases {
            for item in KeyringItem.allCases {
                for mayAsk in [false, true] {
                    let count = verb == .store ? 80 : 0
                    let question = KeyringQuestion(verb, item, of: Self.storeID, mayAsk: mayAsk, bodyByteCount: count)
                    #expect(KeyringQuestion(question.bytes) == question)
                }
            }
        }
        let replies = KeyringFailure.allCases.map { KeyringReply.failed($0, detailByteCount: 256) }
        for reply in replies + [.asking, .done(byteCount: 0), .done(byteCount: 1_024)] {
            #expect(KeyringReply(reply.bytes) == reply)
        }
    }

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
