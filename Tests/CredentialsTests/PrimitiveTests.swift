// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import Credentials

@Suite("scrypt and AES-GCM")
struct PrimitiveTests {
    @Test("scrypt of the highest accepted cost has the answer of RFC 7914, section 12")
    func highestCost() throws {
        let arena = try SecretArena(byteCount: 4096)
        let key = try KeyDerivation.scrypt(
            try Secret(copying: Array("pleaseletmein".utf8), in: arena),
            salt: Array("SodiumChloride".utf8),
            cost: try #require(ScryptCost(log2N: ScryptCost.accepted.upperBound)),
            in: arena
        )
        let text = key.withBytes { HexText.encode($0) }
        #expect(text == "2101cb9b6a511aaeaddbbe09cf70f881ec568d574a2ffd4dabe5ee9820adaa47")
    }

    @Test("with another tag, text or associated data nothing is opened, and the output is wiped")
    func refusal() throws {
        let arena = try SecretArena(byteCount: 4096)
        let key = try Secret(copying: [UInt8](0..<32), in: arena)
        let plain = [UInt8](1...40)
        let sealed = try plain.withUnsafeBytes { try AESGCM.seal($0, key: key, associatedData: [7]) }
        func changed(_ bytes: [UInt8]) -> [UInt8] { [bytes[0] ^ 1] + bytes[1...] }
        for (text, tag, associated, opened) in [
            (sealed.ciphertext, sealed.tag, [7], plain), (changed(sealed.ciphertext), sealed.tag, [7], nil),
            (sealed.ciphertext, changed(sealed.tag), [7], nil), (sealed.ciphertext, sealed.tag, [7, 0], nil),
        ] as [([UInt8], [UInt8], [UInt8], [UInt8]?)] {
            var room = [UInt8](repeating: 0xEE, count: plain.count)
            let isRight = try room.withUnsafeMutableBytes { room in
                try text.withUnsafeBytes {
                    try AESGCM.open($0, tag: tag, key: key, associatedData: associated, into: room)
                }
            }
            #expect(isRight == (opened != nil))
            #expect(room == opened ?? [UInt8](repeating: 0, count: plain.count))
        }
    }
}
