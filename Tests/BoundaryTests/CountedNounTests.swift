// SPDX-License-Identifier: Apache-2.0

import Testing

/// A number before a noun in a text must be a `Counted`, so that no text has "1 logins".
@Suite("Counted nouns in texts")
struct CountedNounTests {
    private static let nouns = [
        "adapter", "attempt", "byte", "call", "change", "day", "endpoint", "event", "fault", "file", "grant", "hour",
        "key", "line", "login", "minute", "note", "password", "record", "second", "server", "service", "session",
        "slot", "step", "time", "word",
    ]
    /// Limits and sizes, which are always more than one.
    private static let constants = ["limit", "Limit", "maximum", "Maximum", "most", "Bytes", "ByteCount", "byteCount"]

    /// The nouns in a line of code that are counted without `Counted`.
    private static func plain(_ line: Substring) -> [String] {
        guard line.contains("\\(") else { return [] }
        let counted = /\\\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\) (\w+)/
        return line.matches(of: counted).compactMap { found in
            let (value, noun) = (String(found.1), String(found.2))
            guard noun.hasSuffix("s"), nouns.contains(String(noun.dropLast())) else { return nil }
            guard !constants.contains(where: { value.contains($0) }) else { return nil }
            return "\(value) \(noun)"
        }
    }

    @Test("each counted noun in the sources has a singular and a plural")
    func sources() throws {
        for line in try SourceLine.all(in: "Sources") where !line.path.hasPrefix("Sources/Relativity/SampleServer") {
            let found = Self.plain(line.text)
            #expect(found.isEmpty, "\(line.place): \(found)")
        }
    }

    @Test("the search finds a number without its helper, and ignores a limit")
    func forms() {
        #expect(Self.plain(#""\(vault.logins ?? 0) logins""#) == ["vault.logins ?? 0 logins"])
        #expect(Self.plain(#""for \(f(g(1))) seconds on""#) == ["f(g(1)) seconds"])
        #expect(Self.plain(#""\(Counted(n, "login")) are, at most \(limit) bytes; \(name) runs""#).isEmpty)
    }
}
