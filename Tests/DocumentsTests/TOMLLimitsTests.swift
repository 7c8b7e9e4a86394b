// SPDX-License-Identifier: Apache-2.0

import Documents
import Testing

@Suite("Limits of TOML documents")
struct TOMLLimitsTests {
    private func reason(_ text: String) -> String? {
        do throws(TOMLError) {
            _ = try TOMLDocument.parse(text)
            return nil
        } catch {
            return error.reason
        }
    }

    private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    @Test("a line may have 4,096 bytes, anywhere in the text and with any content")
    func lines() throws {
        for (head, tail) in [
            ("#", ""), ("a = \"", "\""), ("a = '''", "'''"), ("a = [", "]"), ("a = \"\"\"\n", "\"\"\""),
        ] {
            let line = head.split(separator: "\n").count > 1 || head.hasSuffix("\n") ? "" : head
            let room = 4_096 - line.utf8.count - tail.utf8.count
            #expect(reason("b = 1\n" + head + repeated(" ", room) + tail + "\nc = 1") == nil, "\(head)")
            let long = reason("b = 1\n" + head + repeated(" ", room + 1) + tail + "\nc = 1")
            #expect(long == "longer than 4096 bytes", "\(head)")
        }
        let fault = try #require(throws: TOMLError.self) { try TOMLDocument.parse("\n\n#" + repeated("x", 5_000)) }
        #expect(fault.line == 3 && fault.column == 4_097)
    }

    @Test("arrays and inline tables may be nested 16 levels deep, also across lines")
    func nesting() {
        for (open, close) in [("[", "]"), ("[\n", "]\n"), ("{a=", "}"), ("[{a=", "}]"), ("[\n{a.b.c=", "}\n]")] {
            let depth = open.count { "[{".contains($0) }
            let most = 16 / depth
            func text(_ count: Int) -> String { "a = " + repeated(open, count) + "1" + repeated(close, count) + "\n" }
            #expect(reason(text(most)) == nil, "\(open)")
            #expect(reason(text(most + 1))?.hasPrefix("more than 16 arrays and tables") == true, "\(open)")
            #expect(reason(text(15_000 / open.utf8.count))?.isEmpty == false, "\(open)")
        }
        #expect(reason("a = [" + repeated("[],", 1_000) + "]") == nil, "beside each other they are no depth")
    }

    @Test("a key may have 16 parts in headers, before values and in inline tables")
    func keyParts() {
        for (head, tail) in [("", " = 1"), ("[", "]"), ("[[", "]]"), ("x = { y = 1, ", " = 1 }"), ("x = [\n{", "=1}]")]
        {
            func key(_ count: Int) -> String { (0..<count).map { "k\($0)" }.joined(separator: " . ") }
            #expect(reason(head + key(16) + tail) == nil, "\(head)")
            #expect(reason(head + key(17) + tail) == "a key of more than 16 parts", "\(head)")
            #expect(reason(head + repeated("a.", 100_000) + "a" + tail) != nil, "\(head)")
        }
    }

    @Test("dots, brackets and quotes in strings and comments do not count")
    func strings() {
        let noise = repeated(".[{", 100)
        for text in [
            "# \(noise) \" '''", "a = \"\(noise)#'\"", "a = '\(noise)#\"'", "a = \"\\\"\(noise)\"",
            "a = '\\' # \(noise)",
            "a = \"\"\"\"\(noise)\n\"\"\(noise)\\\"\"\"\(noise)\"\"\"\"\" # \(noise)",
            "a = ''''\(noise)''\n\(noise)'''''",
            "a = \"\" # \(noise)", "a = [\"\", '', \"\"\"\"\"\", '''''', \"\(noise)\"]", "\"\(noise)\".b = 1",
        ] {
            #expect(reason(text) == nil, "\(text)")
        }
    }
}
