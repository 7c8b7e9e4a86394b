// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing
import Varlink

@testable import Credentials

@Suite("Base64 and replies that hold secrets")
struct Base64Tests {
    private static func encoded(_ bytes: [UInt8]) -> String {
        var room = [UInt8](repeating: 0, count: Base64.encodedCount(of: bytes.count))
        let count = bytes.withUnsafeBytes { bytes in room.withUnsafeMutableBytes { Base64.encode(bytes, into: $0) } }
        return String(decoding: room.prefix(count), as: UTF8.self)
    }

    private static func decoded(_ text: [UInt8], room: Int = 100) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: room)
        let count = text.withUnsafeBytes { text in bytes.withUnsafeMutableBytes { Base64.decode(text, into: $0) } }
        return count.map { Array(bytes.prefix($0)) }
    }

    @Test("the examples of RFC 4648, section 10")
    func examples() {
        let texts = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]
        for (count, text) in texts.enumerated() {
            let bytes = Array("foobar".utf8.prefix(count))
            #expect(Self.encoded(bytes) == text)
            #expect(Self.decoded(Array(text.utf8)) == bytes)
        }
    }

    @Test("what is not exactly base64 is refused")
    func refused() {
        for text in ["Z", "Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "=Zg=", "Zg==Zg==", "Zm9v\n", "Zm-_"] {
            #expect(Self.decoded(Array(text.utf8)) == nil, "\(text)")
        }
        #expect(Self.decoded(Array("Zm9v".utf8), room: 2) == nil)
    }

    @Test("5,000 random strings come back, and no damaged reply is taken for more than it is")
    func random() throws {
        var random = SeededRandom(seed: 7)
        let whole = Array(#"{"parameters":{"data":"Zm9vYmFy"}}"#.utf8)
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...90, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(Self.decoded(Array(Self.encoded(bytes).utf8)) == bytes)

            var frame = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                frame[Int.random(in: 0..<frame.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            frame.removeLast(Int.random(in: 0...2, using: &random))
            frame.withUnsafeBytes { frame in
                guard let text = try? SecretReply.text(of: "data", in: frame) else { return }
                #expect(text.allSatisfy { Base64.value(of: $0) != nil || $0 == UInt8(ascii: "=") })
            }
        }
    }

    @Test("an error reply is that error, also with the member in it")
    func errors() throws {
        func text(_ frame: String) throws -> String {
            try Array(frame.utf8).withUnsafeBytes {
                String(decoding: try SecretReply.text(of: "data", in: $0), as: UTF8.self)
            }
        }
        #expect(try text(#"{ "parameters" : { "x": 1, "data" : "Zg==" } }"#) == "Zg==")
        #expect(throws: VarlinkError("a.B", ["c": 1])) { try text(#"{"error":"a.B","parameters":{"c":1}}"#) }
        for frame in [
            #"{"error":"a.B","parameters":{"data":"Zg=="}}"#, #"{"data":"Zg=="}"#, #"{"parameters":{"data":null}}"#,
            #"{"parameters":{"data":"Zg==}}"#, #"{"parameters":{"x":{"data":"Zg=="}}}"#, "[]", "",
        ] {
            #expect(throws: VarlinkClientError.self, "\(frame)") { try text(frame) }
        }
    }
}
