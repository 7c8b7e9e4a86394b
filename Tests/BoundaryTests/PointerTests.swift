// SPDX-License-Identifier: Apache-2.0

import Testing

/// A pointer to a value is valid only inside the closure that gets it. After the closure, the optimiser may reuse the
/// memory.
@Suite("Pointers")
struct PointerTests {
    /// Types with a pointer to bytes in a stored property, and the reason why its lifetime is bounded.
    private static let stored = [
        "Sources/Core/Credentials/Format/PayloadCodec.swift": "used within the closure that lends the bytes",
        "Sources/Relativity/Services/Login/EscapeDecoder.swift": "used within the closure that lends the bytes",
        "Sources/Relativity/Services/Login/PasswordEcho.swift": "its own memory, freed with it",
        "Sources/Relativity/DataAccess/Formats/ArrowWriter.swift": "its own memory, freed with it",
        "Sources/Relativity/DataAbstract/Tables/CellReader.swift": "used within the closure that lends the bytes",
        "Sources/Relativity/DataAbstract/Tables/CellWriter.swift": "used within the closure that lends the bytes",
        "Sources/Relativity/DataAbstract/Tables/RowSkipper.swift": "used within the closure that lends the bytes",
        "Sources/Relativity/DataAbstract/Expressions/ExpressionNode.swift":
            "used within the closure that lends the bytes",
        "Sources/Relativity/Remoting/Message/BinMessageReader.swift": "used within the closure that lends the bytes",
        "Sources/Base/JSON/JSONParser.swift": "used within the closure that lends the bytes",
        "Sources/Base/Documents/TOML/TOMLDocument.swift": "used while the document lives",
    ]

    /// Whether a closure returns the pointer that it received.
    private static func escapes(_ code: String) -> Bool {
        let call =
            /(?:^|[^A-Za-z_])with(?:VeryUnsafe|Unsafe|UTF8|CString|ContiguousStorage|MemoryRebound|TemporaryAllocation|Bytes|WireBytes)/
        guard code.contains(call) else { return false }
        let given = /[^{}]*\{ *(?:\$0|(\w+) in(?: return)? +\1)(?:\.baseAddress)?[!?]? *\}/
        let converted = /[^{}]*\{ *(?:\w+ in +)?(?:Unsafe\w*Pointer|OpaquePointer)(?:<\w+>)?\([^{}()]*\) *\}/
        return code.matches(of: call).contains { call in
            let rest = code[call.range.upperBound...]
            return rest.prefixMatch(of: given) != nil || rest.prefixMatch(of: converted) != nil
        }
    }

    @Test("no closure passes on the pointer that it received")
    func escapes() throws {
        for folder in ["Sources", "Tests", "Fuzz", "Benchmarks", "docs"] {
            for path in try Repository.files(in: folder, ending: ".swift") {
                let lines = try Repository.lines(path)
                for (index, line) in lines.enumerated()
                where line.contains("with") && !line.trimming(" ").hasPrefix("//") {
                    // A closure may be written over several lines.
                    let code = lines[index..<min(index + 3, lines.count)].map { $0.trimming(" ") }.joined(
                        separator: " "
                    )
                    // Tests may compare addresses.
                    guard Self.escapes(code), folder == "Sources" || !code.contains("baseAddress") else { continue }
                    Issue.record("\(path):\(index + 1): \(line.trimming(" "))")
                }
            }
        }
    }

    @Test("a pointer to bytes is stored only where its lifetime is known")
    func stored() throws {
        let pattern = /^ {4}(?:\w+(?:\(\w+\))? )*(?:let|var) \w+: *Unsafe\w*BufferPointer/
        let found = try SourceLine.all(in: "Sources").filter { $0.text.contains(pattern) }
        #expect(Set(found.map(\.path)) == Set(Self.stored.keys))
    }

    @Test(
        "the search recognises the ways to pass on a pointer",
        arguments: [
            "f(withUnsafePointer(to: x) { $0 })", "b = buffer.withUnsafeReadableBytes { $0 }",
            "a.withUnsafeBufferPointer { $0.baseAddress }", "s.withCString { text in text }",
            "withUnsafeMutablePointer(to: &x) { UnsafeMutableRawPointer($0) }",
            "b.withUnsafeBytes { p in p.baseAddress! }",
        ]
    )
    func forms(code: String) {
        #expect(Self.escapes(code))
    }
}
