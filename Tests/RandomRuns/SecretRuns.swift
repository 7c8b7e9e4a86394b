// SPDX-License-Identifier: Apache-2.0

internal import Broker
internal import Credentials
internal import Platform
internal import Remoting
internal import TestSupport

/// Random secrets in the code that could show them.
package enum SecretRuns {
    /// Prints and reflects secrets.
    ///
    /// - Returns: a line of text.
    /// - Throws: `RunFailure` if one was shown.
    package static func printed(_ count: Int) throws -> String {
        let arena = try SecretArena()
        var random = SeededRandom(seed: 1)
        for _ in 0..<count {
            let text = text(&random)
            let shared = SharedSecret(try Secret(copying: Array(text.utf8), in: arena))
            // Reflecting the whole value would take minutes. A dump begins with the names of the children.
            let shown = "\(shared) \(Mirror(reflecting: shared).children.map { $0.label ?? "" })"
            if shown.contains(text) { throw RunFailure("shown: \(shown)") }
        }
        return "\(count) secrets printed and reflected: none shown"
    }

    /// Encodes login messages, most of which are refused.
    ///
    /// - Returns: a line of text.
    /// - Throws: `RunFailure` if an error contains the password, or if hardly any message was refused.
    package static func refused(_ count: Int) throws -> String {
        var random = SeededRandom(seed: 2)
        var refusals = 0
        let clientID = ClientID()
        for run in 0..<count {
            // Control characters and quotes are what a login string does not take, in one field or another.
            let password = text(&random) + ["", "\"", ";", "\0", "\n", "\u{7F}"][run % 6]
            let user = ["user", "a\"b", "a;b", "a\0b", String(repeating: "u", count: 70)][run % 5]
            let account = Account(user: user, domain: run % 7 == 0 ? "a\"b" : "domain", schema: "")
            do {
                try Array(password.utf8).withUnsafeBytes { bytes in
                    _ = try account.request(to: "LoginService", password: bytes, for: clientID)
                }
            } catch {
                refusals += 1
                if "\(error)".contains(password.prefix(12)) { throw RunFailure("\(error)") }
            }
        }
        guard refusals > count / 100 else { throw RunFailure("only \(refusals) refused") }
        return "\(count) login messages tried, \(refusals) refused: no password in an error"
    }

    private static func text(_ random: inout SeededRandom) -> String {
        let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        return String((0..<12).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
    }
}
