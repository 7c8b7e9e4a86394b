// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Prompts

@Suite("The Assuan protocol")
struct AssuanTests {
    private func line(_ text: String) -> AssuanLine {
        Array(text.utf8).withUnsafeBytes { AssuanLine($0) }
    }

    @Test("a line is recognised by its first word")
    func lines() {
        #expect(line("OK") == .done && line("OK Pleased to meet you") == .done)
        #expect(line("ERR 83886179 Operation cancelled <Pinentry>") == .refused(code: AssuanLine.Code.cancelled))
        #expect(line("ERR 83886142 Timeout") == .refused(code: AssuanLine.Code.timeout))
        #expect(line("D secret") == .data(from: 2) && line("D ") == .data(from: 2))
        #expect(line("") == .remark && line("S PASSWORD_FROM_CACHE") == .remark && line("# hello") == .remark)
        for text in ["D", "INQUIRE QUALITY", "ok", " OK", "ERR", "ERR x", "ERR 99999999999", "ERR -1", "\u{0}"] {
            #expect(line(text) == .unknown, "\(text)")
        }
    }

    private func decoded(_ text: String, room: Int = 16) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: room)
        let count = Array(text.utf8).withUnsafeBytes { text in
            bytes.withUnsafeMutableBytes { AssuanText.decode(text[...], into: $0) }
        }
        return count.map { Array(bytes.prefix($0)) }
    }

    @Test("decode removes escapes, and rejects data that does not fit the buffer")
    func data() {
        #expect(decoded("a%25b%0Ac%c3%A4") == Array("a%b\ncä".utf8))
        #expect(decoded("") == [])
        #expect(decoded("abcd", room: 4) == Array("abcd".utf8) && decoded("abcde", room: 4) == nil)
        for text in ["%", "%2", "%zz", "%2g", "a%"] { #expect(decoded(text) == nil, "\(text)") }
    }

    @Test("command encodes a text on one line and without tags")
    func commands() throws {
        let line = try #require(AssuanText.command("SETDESC", "100%\n<b>ä\r"))
        #expect(String(decoding: line, as: UTF8.self) == "SETDESC 100%25%0A\\u{3C}b>ä%0D\n")
        #expect(AssuanText.command("SETDESC", String(repeating: "x", count: 991))?.count == 1_000)
        #expect(AssuanText.command("SETDESC", String(repeating: "x", count: 992)) == nil)
    }

    @Test(
        "untrusted names of any kind leave space for the other facts",
        arguments: ["%", "<", "\u{202E}", "ä", "a\u{301}"]
    )
    func crowding(letter: String) throws {
        let name = ShownText.of(String(repeating: letter, count: 4_096))
        // The maximum number of names in a question.
        let line = try #require(AssuanText.command("SETDESC", [name, name, name, name, name].joined(separator: "\n")))
        #expect(line.count < 700 && name.hasSuffix("…"))
        #expect(!name.unicodeScalars.contains("\u{202E}"))
    }

    @Test("a process is shown by its number and its escaped, quoted name")
    func process() {
        #expect(ShownText.of(process: 12, named: "x\u{1B}[2J") == "process 12 ('x\\u{1B}[2J')")
        let imitation = ShownText.quoted("hall'; user: 'root'\\; url: 'https://x")
        #expect(imitation == #"'hall\'; user: \'root\'\\; url: \'https://x'"#, "\(imitation)")
        #expect(ShownText.quoted(String(repeating: "'", count: 1_000)).utf8.count <= 120)
        #expect(ShownText.of(process: 12, named: nil) == "process 12")
        #expect(ShownText.of(process: nil, named: nil) == "an unknown process")
    }
}
