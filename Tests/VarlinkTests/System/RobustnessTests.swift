// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing
import Varlink
import VarlinkService

@Suite("Robustness")
struct RobustnessTests {
    @Test("mutated requests are answered or closed, and the server continues", arguments: 1...8)
    func fuzz(seed: UInt64) async throws {
        let seeds = [
            #"{"method":"org.example.test.Echo","parameters":{"text":"h\u00e9"}}"#,
            #"{"method":"org.varlink.service.GetInfo"}"#,
            #"{"method":"org.example.test.Count","parameters":{"to":3,"bytes":10},"more":true}"#,
            #"{"method":"org.example.test.Fail","parameters":{"why":"x"},"oneway":false}"#,
            #"{"method":"org.example.test.Secret","parameters":{"limit":4},"upgrade":true}"#,
        ]
        var random = SeededRandom(seed: seed)
        try await TestServer.run { server in
            for _ in 0..<250 {
                var bytes =
                    Array(seeds.randomElement(using: &random)?.utf8 ?? "".utf8) + [0, 4, 0, 0, 0, 1, 2, 3, 4, 0]
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[place] = .random(in: 0...255, using: &random)
                    case 1: bytes.remove(at: place)
                    case 2: bytes.insert(Array("{}[]\",:0e\0".utf8).randomElement(using: &random) ?? 0, at: place)
                    default: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
                    }
                }
                let peer = try server.connectRaw()
                peer.send(bytes)
                peer.finishSending()
                while let frame = try peer.receive() {
                    #expect(throws: Never.self) { try JSONValue(parsing: frame) }
                }
            }
            #expect(try server.connect().call("org.example.test.Echo", ["text": "a"]) == ["text": "a"])
        }
    }
}
