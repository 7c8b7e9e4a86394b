// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import TestSupport
import Testing
import Varlink

@testable import Credentials

@Suite("Replies that contain secrets")
struct SecretReplyTests {
    @Test("5,000 damaged replies yield the secret or an error")
    func random() throws {
        var random = SeededRandom(seed: 7)
        let whole = Array(#"{"parameters":{"data":"Zm9vYmFy"}}"#.utf8)
        for _ in 0..<5_000 {
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

    @Test("an error reply is returned as that error, also if it contains the member")
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
