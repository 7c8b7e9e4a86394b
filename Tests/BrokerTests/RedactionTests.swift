// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import NIOCore
import Platform
import Remoting
import TestSupport
import Testing

@testable import Broker

/// Types mostly ensure that no error and no log line contains a secret. A `Secret` has no description, no encoding and
/// no conversion to a `String`, and no case of an error contains one. These tests cover the code that handles a
/// secret's bytes and fails, or shows text of a peer.
@Suite("Errors and logs without secrets")
struct RedactionTests {
    private static let runs = 100_000

    @Test("no way of printing a secret shows any of its bytes")
    func secret() throws {
        let arena = try SecretArena()
        var random = SeededRandom(seed: 1)
        for _ in 0..<Self.runs {
            let text = Self.text(&random)
            let shared = SharedSecret(try Secret(copying: Array(text.utf8), in: arena))
            // Reflecting the whole value would take minutes. A dump begins with the names of the children.
            let shown = "\(shared) \(Mirror(reflecting: shared).children.map { $0.label ?? "" })"
            if shown.contains(text) { Issue.record("shown: \(shown)") }
        }
        print("\(Self.runs) secrets printed and reflected: none shown")
    }

    @Test("an invalid login message is refused with an error that does not contain its password")
    func refusedLogin() throws {
        var random = SeededRandom(seed: 2)
        var refusals = 0
        let clientID = ClientID()
        let endpoint = try #require(EndpointID("endpoint"))
        for run in 0..<Self.runs {
            // A login string rejects control characters and quotes, in one field or another.
            let password = Self.text(&random) + ["", "\"", ";", "\0", "\n", "\u{7F}"][run % 6]
            let user = ["user", "a\"b", "a;b", "a\0b", String(repeating: "u", count: 70)][run % 5]
            let login = NewLogin(
                name: "login",
                endpoint: endpoint,
                user: user,
                domain: run % 7 == 0 ? "a\"b" : "domain",
                schema: "",
                pin: .loopback(.localhost, port: 1),
                allowsPlaintext: true,
                networkID: nil
            )
            do {
                try Array(password.utf8).withUnsafeBytes { bytes in
                    _ = try login.request(to: "LoginService", password: bytes, for: clientID)
                }
            } catch {
                refusals += 1
                if "\(error)".contains(password.prefix(12)) { Issue.record("\(error)") }
            }
        }
        print("\(Self.runs) login messages tried, \(refusals) refused: no password in an error")
        #expect(refusals > 1_000)
    }

    private static func text(_ random: inout SeededRandom) -> String {
        let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        return String((0..<12).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
    }
}
