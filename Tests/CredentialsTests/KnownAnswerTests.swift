// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import Testing

@testable import Credentials

/// Every case in the files of `Vectors/KnownAnswers`. Their number may only increase.
@Suite("Published answers")
struct KnownAnswerTests {
    private struct Case {
        let object: JSONObject
        let name: String
        let isValid: Bool

        init(_ object: JSONObject) throws {
            self.object = object
            name = try object.string("case")
            isValid = try object.string("result") == "valid"
        }

        func bytes(_ member: String) throws -> [UInt8] {
            try #require(HexText.decode(try object.string(member)), "\(member) is hexadecimal")
        }
    }

    private static func cases(_ file: String) throws -> [Case] {
        let value = try JSONValue(parsing: try GoldenVault.bytes(of: "KnownAnswers/\(file).json"))
        return try #require(value.arrayValue).map { try Case(try #require($0.objectValue)) }
    }

    @Test("AES-256-GCM matches the published answers, and refuses the invalid ones")
    func aesGCM() throws {
        let cases = try Self.cases("aes-256-gcm")
        let arena = try SecretArena(byteCount: 4096)
        var refused = 0
        for one in cases {
            let key = try Secret(copying: try one.bytes("key"), in: arena)
            let (nonce, associated) = (try one.bytes("nonce"), try one.bytes("associated"))
            let (plain, sealed, tag) = (try one.bytes("plain"), try one.bytes("sealed"), try one.bytes("tag"))
            func open(_ sealed: [UInt8], _ tag: [UInt8], _ associated: [UInt8]) throws -> [UInt8]? {
                try Self.open(sealed, tag, key, nonce, associated)
            }
            guard one.isValid else {
                refused += 1
                #expect(try open(sealed, tag, associated) == nil, "\(one.name)")
                continue
            }
            let made = try plain.withUnsafeBytes {
                try AESGCM.seal($0, key: key, nonce: nonce, associatedData: associated)
            }
            #expect(made.ciphertext == sealed && made.tag == tag, "\(one.name)")
            #expect(try open(sealed, tag, associated) == plain, "\(one.name)")
            #expect(try open(sealed, [tag[0] ^ 1] + tag[1...], associated) == nil, "\(one.name)")
            #expect(try open(sealed, tag, associated + [0]) == nil, "\(one.name)")
            if let last = sealed.last {
                #expect(try open(sealed.dropLast() + [last ^ 0x80], tag, associated) == nil, "\(one.name)")
            }
        }
        print("published answers: AES-256-GCM \(cases.count), \(refused) of them refused")
        #expect(cases.count >= 79 && refused >= 27)
    }

    /// Returns nil if it is refused. The buffer must be wiped then.
    private static func open(
        _ sealed: [UInt8],
        _ tag: [UInt8],
        _ key: borrowing Secret,
        _ nonce: [UInt8],
        _ associatedData: [UInt8]
    ) throws -> [UInt8]? {
        var room = [UInt8](repeating: 0xEE, count: sealed.count)
        let isRight = try room.withUnsafeMutableBytes { room in
            try sealed.withUnsafeBytes {
                try AESGCM.open($0, tag: tag, key: key, nonce: nonce, associatedData: associatedData, into: room)
            }
        }
        if !isRight { #expect(room.allSatisfy { $0 == 0 }) }
        return isRight ? room : nil
    }

    @Test("HKDF-SHA-512 matches the published answers, and refuses longer output")
    func hkdf() throws {
        let cases = try Self.cases("hkdf-sha512")
        let arena = try SecretArena(byteCount: 64 * 1024)
        var refused = 0
        for one in cases {
            let secret = try Secret(copying: try one.bytes("secret"), in: arena)
            let (salt, info) = (try one.bytes("salt"), try one.bytes("info"))
            let count = Int(try one.object.integer("size"))
            guard one.isValid else {
                refused += 1
                #expect(throws: PlatformError.self, "\(one.name)") {
                    _ = try KeyDerivation.hkdf(secret, salt: salt, info: info, byteCount: count, in: arena)
                }
                continue
            }
            let derived = try KeyDerivation.hkdf(secret, salt: salt, info: info, byteCount: count, in: arena)
            let answer = try one.bytes("derived")
            #expect(derived.withBytes { $0.elementsEqual(answer) }, "\(one.name)")
        }
        print("published answers: HKDF-SHA-512 \(cases.count), \(refused) of them refused")
        #expect(cases.count >= 83 && refused >= 1)
    }

    @Test("HMAC-SHA-256 matches the published tags")
    func hmac() throws {
        let cases = try Self.cases("hmac-sha256")
        for one in cases {
            let (key, message, answer) = (try one.bytes("key"), try one.bytes("message"), try one.bytes("tag"))
            let tag = try key.withUnsafeBytes { try HMACSHA256.tag(of: message, key: $0) }
            #expect(tag.starts(with: answer) && answer.count >= 16, "\(one.name)")
        }
        print("published answers: HMAC-SHA-256 \(cases.count)")
        #expect(cases.count >= 66)
    }
}
