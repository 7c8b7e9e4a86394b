// SPDX-License-Identifier: Apache-2.0

/// A token of a statement in SQL. Comments and blanks are none.
struct StatementToken {
    enum Kind: Equatable {
        /// A name or a keyword, also in lower case.
        case word(String, original: String)
        /// A name in quotes, without them.
        case quoted(String)
        /// A text, without its quotes.
        case text(String)
        /// A number, as it is written.
        case number(String)
        case symbol(UInt8)
    }

    let kind: Kind
    /// The bytes in the statement.
    let range: Range<Int>

    /// The word in lower case; nil for other tokens.
    var word: String? { if case .word(let word, _) = kind { word } else { nil } }

    /// The word or the quoted name; nil for other tokens.
    var name: String? {
        switch kind {
        case .word(_, let name), .quoted(let name): name
        default: nil
        }
    }

    /// Whether this is one of some symbols.
    func isSymbol(of symbols: StaticString) -> Bool {
        if case .symbol(let byte) = kind { symbols.withUTF8Buffer { $0.contains(byte) } } else { false }
    }

    /// Divides a statement. Any text has tokens; the database decides whether they are a statement.
    static func tokens(of bytes: [UInt8]) -> [StatementToken] {
        var tokens: [StatementToken] = []
        var index = 0
        while index < bytes.count {
            let start = index
            let byte = bytes[index]
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            func add(_ kind: Kind) { tokens.append(StatementToken(kind: kind, range: start..<min(index, bytes.count))) }
            switch byte {
            case UInt8(ascii: "-") where next == byte:
                while index < bytes.count, bytes[index] != 0x0A { index += 1 }
            case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
                index += 2
                while index < bytes.count, !(bytes[index] == 0x2F && index > start + 2 && bytes[index - 1] == 0x2A) {
                    index += 1
                }
                index += 1
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
                let content = quoted(bytes, &index)
                add(byte == UInt8(ascii: "'") ? .text(content) : .quoted(content))
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                skipNumber(bytes, &index)
                add(.number(String(decoding: bytes[start..<index], as: UTF8.self)))
            case UInt8(ascii: ".") where isDigit(next):
                skipNumber(bytes, &index)
                add(.number(String(decoding: bytes[start..<index], as: UTF8.self)))
            case _ where isWordByte(byte):
                while index < bytes.count, isWordByte(bytes[index]) { index += 1 }
                let word = String(decoding: bytes[start..<index], as: UTF8.self)
                add(.word(word.lowercased(), original: word))
            default:
                index += 1
                if byte > 0x20 { add(.symbol(byte)) }
            }
        }
        return tokens
    }

    private static func quoted(_ bytes: [UInt8], _ index: inout Int) -> String {
        let start = bytes[index]
        let end = start == UInt8(ascii: "[") ? UInt8(ascii: "]") : start
        var content: [UInt8] = []
        index += 1
        while index < bytes.count {
            defer { index += 1 }
            if bytes[index] == end {
                guard start != UInt8(ascii: "["), index + 1 < bytes.count, bytes[index + 1] == end else { break }
                index += 1
            }
            content.append(bytes[index])
        }
        return String(decoding: content, as: UTF8.self)
    }

    private static func skipNumber(_ bytes: [UInt8], _ index: inout Int) {
        while index < bytes.count {
            let isSign = bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-")
            guard
                isWordByte(bytes[index]) || bytes[index] == UInt8(ascii: ".")
                    || isSign && (bytes[index - 1] | 0x20) == UInt8(ascii: "e")
            else { return }
            index += 1
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "_"), UInt8(ascii: "$"): true
        default: false
        }
    }
}
