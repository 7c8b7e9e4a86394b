// SPDX-License-Identifier: Apache-2.0

import CLibCrypto
import Platform

@testable import Credentials

/// 32 bytes of AES-256-GCM ciphertext and a tag that open under two keys. An attacker who knows both keys can compute
/// this: the tag is linear in each block, so one block makes it match the second key too.
struct TwoKeyCiphertext {
    let ciphertext: [UInt8]
    let tag: [UInt8]

    struct Failed: Error {}

    init(_ first: [UInt8], _ second: [UInt8], associatedData: [UInt8]) throws {
        let hashKeys = try [first, second].map { GaloisField(try Self.encrypt([UInt8](repeating: 0, count: 16), $0)) }
        let masks = try [first, second].map { GaloisField(try Self.encrypt(AESGCM.zeroNonce + [0, 0, 0, 1], $0)) }
        let free = [UInt8](repeating: 0xA5, count: 16)
        let lengths = [associatedData.count, 32].flatMap { count in
            (0..<8).map { UInt8(truncatingIfNeeded: (count * 8) >> (56 - 8 * $0)) }
        }
        // All terms except that of the second block, which precedes the lengths: its factor is the square of the hash
        // key.
        let front =
            stride(from: 0, to: associatedData.count, by: 16).map { associatedData[$0...].prefix(16) } + [free[...]]
        let known = front + [[], lengths[...]]
        let sums = hashKeys.map { key in
            known.enumerated().reduce(GaloisField([])) { sum, block in
                sum + GaloisField(block.element) * key.power(known.count - block.offset)
            }
        }
        let difference = sums[0] + sums[1] + masks[0] + masks[1]
        let solved = difference * (hashKeys[0].power(2) + hashKeys[1].power(2)).inverse
        ciphertext = free + solved.block
        tag = (sums[0] + solved * hashKeys[0].power(2) + masks[0]).block
    }

    /// Encrypts one block with AES-256.
    private static func encrypt(_ block: [UInt8], _ key: [UInt8]) throws -> [UInt8] {
        guard let context = EVP_CIPHER_CTX_new() else { throw Failed() }
        defer { EVP_CIPHER_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: 32)
        var count: Int32 = 0
        guard EVP_EncryptInit_ex2(context, EVP_aes_256_ecb(), key, nil, nil) == 1,
            EVP_EncryptUpdate(context, &output, &count, block, 16) == 1, count == 16
        else { throw Failed() }
        return Array(output[..<16])
    }
}
