// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1
import Testing

@testable import Broker

@Suite struct LoopbackGateTests {
    private let gate = LoopbackGate(port: 4_711, path: "/" + String(repeating: "a", count: 40))

    private func refusal(
        _ uri: String? = nil,
        host: [String] = ["127.0.0.1:4711"],
        others: [(String, String)] = []
    ) -> HTTPResponseStatus? {
        let headers = HTTPHeaders(host.map { ("Host", $0) } + others)
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: uri ?? gate.path, headers: headers)
        return gate.refusal(of: head)
    }

    @Test("only the exact path passes, also with a query")
    func paths() {
        #expect(refusal() == nil)
        #expect(refusal(gate.path + "?1732190000000") == nil)
        for path in ["", "/", "/bin", gate.path + "/", gate.path + "a", String(gate.path.dropLast()), "/" + gate.path]
            + [
                "/A" + gate.path.dropFirst(2), gate.path.replacing("aa", with: "%61a"),
                "http://127.0.0.1:4711" + gate.path,
            ]
        {
            #expect(refusal(path) == .notFound, "\(path)")
        }
    }

    @Test("exactly one Host header is required, and it must name this port of this machine")
    func hosts() {
        for host in ["127.0.0.1:4711", "localhost:4711", "LOCALHOST:4711"] { #expect(refusal(host: [host]) == nil) }
        for host in ["", "127.0.0.1", "localhost", "127.0.0.1:4712", "evil.example:4711", "evil.example", "127.1:4711"]
            + ["localhost.:4711", "127.0.0.1:4711.evil.example", "[::1]:4711", " 127.0.0.1:4711 x"]
        {
            #expect(refusal(host: [host]) == .forbidden, "\(host)")
        }
        #expect(refusal(host: []) == .forbidden)
        #expect(refusal(host: ["127.0.0.1:4711", "evil.example"]) == .forbidden)
    }

    @Test("a request from any web page is refused")
    func origins() {
        for origin in ["https://evil.example", "null", "", "http://127.0.0.1:4711"] {
            #expect(refusal(others: [("Origin", origin)]) == .forbidden)
            #expect(refusal(others: [("oRIGIN", origin)]) == .forbidden)
        }
    }

    @Test("generated paths have 160 random bits, and chosen paths need space for 128")
    func makingPaths() throws {
        let made = try (0..<100).map { _ in try LoopbackGate.makePath() }
        #expect(Set(made).count == 100)
        #expect(made.allSatisfy { $0.utf8.count == 41 && LoopbackGate.isUsable($0) })
        let long = String(repeating: "x", count: 22)
        #expect(LoopbackGate.isUsable("/" + long))
        for path in [
            "", "/", long, "/" + long.dropLast(), "/\(long)/", "/\(long)?", "/\(long)%41", "/\(long)é", "/\(long) ",
        ]
            + ["/" + String(repeating: "x", count: 256)]
        {
            #expect(!LoopbackGate.isUsable(path), "\(path)")
        }
    }

    @Test("addresses are shown as URLs")
    func urls() {
        #expect(AdapterAddress.loopback(port: 80, path: "/x").url == "http://127.0.0.1:80/x")
        #expect(
            AdapterAddress.socket(path: "/run/a b%/é.sock").url == "http+unix://%2Frun%2Fa%20b%25%2F%C3%A9.sock/bin"
        )
    }
}
