// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TOMLKit

extension TableReader {
    /// Reads a whole file's text.
    init(parsing text: String, maximumBytes: Int) throws(ConfigurationError) {
        guard text.utf8.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        try Self.check(text)
        do {
            self.init(try TOMLTable(string: text))
        } catch let error as TOMLParseError {
            throw .syntax("line \(error.source.begin.line): \(Printable(error.description))")
        } catch {
            throw .syntax("\(Printable("\(error)"))")
        }
    }

    /// Refuses what the TOML library does not: a NUL, where it would stop reading, and a table header that begins with
    /// neither a key nor a quote, as in `[~`, at which it ends the process. To recognise one, nothing outside comments
    /// may be other than plain ASCII, which no key or value of ours needs.
    private static func check(_ text: String) throws(ConfigurationError) {
        guard !text.utf8.contains(0) else { throw .syntax("a NUL is no text") }
        for (index, line) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            var code = line.prefix { $0 != UInt8(ascii: "#") }
            if code.last == UInt8(ascii: "\r") { code = code.dropLast() }
            guard code.allSatisfy({ isBlank($0) || (0x21...0x7E).contains($0) }) else {
                throw .syntax("line \(index + 1): a character that is not plain ASCII")
            }
            code = code.drop(while: isBlank)
            guard code.first == UInt8(ascii: "[") else { continue }
            code = code.dropFirst()
            if code.first == UInt8(ascii: "[") { code = code.dropFirst() }
            guard let first = code.first(where: { !isBlank($0) }), isKeyStart(first) else {
                throw .syntax("line \(index + 1): a table header without a name")
            }
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func isKeyStart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            true
        default: false
        }
    }
}
