// SPDX-License-Identifier: Apache-2.0

/// Reads a text once, before the parser does. It refuses what goes beyond the limits, and bytes that TOML allows only in
/// strings and comments. It knows strings, comments, brackets and dots, and nothing else of TOML: a text that it accepts
/// is bounded, but not yet correct.
///
/// Its view of where strings begin and end is the parser's up to the first fault of a text. The parser stops there.
struct TOMLScreen {
    private let bytes: [UInt8]
    private let limits: TOMLLimits
    private var index = 0
    private var line = 1
    private var lineStart = 0
    private var nesting = 0
    /// In the key or number at `index`.
    private var dots = 0

    init(_ bytes: [UInt8], limits: TOMLLimits) {
        self.bytes = bytes
        self.limits = limits
        // A byte order mark at the beginning is no character of the text.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// - Throws: `TOMLError` for the first thing that is refused.
    mutating func check() throws(TOMLError) {
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\n"): try endLine()
            case UInt8(ascii: "#"): try skipComment()
            case UInt8(ascii: "\""), UInt8(ascii: "'"): try skipString(byte)
            default:
                try checkCode(byte)
                index += 1
            }
        }
        try checkLine()
    }

    private mutating func checkCode(_ byte: UInt8) throws(TOMLError) {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            nesting += 1
            dots = 0
            guard nesting <= limits.nesting else {
                throw fault("more than \(limits.nesting) arrays and tables within each other")
            }
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            nesting = max(0, nesting - 1)
            dots = 0
        case UInt8(ascii: ","), UInt8(ascii: "="): dots = 0
        case UInt8(ascii: "."):
            dots += 1
            guard dots < limits.keyParts else { throw fault("a key of more than \(limits.keyParts) parts") }
        case 0: throw fault("a NUL is no text")
        case UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0x20...0x7E: break
        default: throw fault("a character that is not plain ASCII, outside of strings and comments")
        }
    }

    private mutating func skipComment() throws(TOMLError) {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { try skip() }
    }

    private mutating func skipString(_ quote: UInt8) throws(TOMLError) {
        guard startsTriple(quote) else {
            index += 1
            while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
                let byte = bytes[index]
                try skipCharacter(of: quote)
                if byte == quote { return }
            }
            return
        }
        index += 3
        while index < bytes.count {
            if startsTriple(quote) {
                index += 3
                // One or two quotes may stand before those that end it.
                for _ in 0..<2 where index < bytes.count && bytes[index] == quote { index += 1 }
                return
            }
            if bytes[index] == UInt8(ascii: "\n") { try endLine() } else { try skipCharacter(of: quote) }
        }
    }

    /// Skips one byte, or in a string with escapes a backslash and the byte that it guards, unless that ends the line.
    private mutating func skipCharacter(of quote: UInt8) throws(TOMLError) {
        let guardsNext = quote == UInt8(ascii: "\"") && bytes[index] == UInt8(ascii: "\\")
        try skip()
        if guardsNext, index < bytes.count, bytes[index] != UInt8(ascii: "\n") { try skip() }
    }

    private mutating func skip() throws(TOMLError) {
        guard bytes[index] != 0 else { throw fault("a NUL is no text") }
        index += 1
    }

    private func startsTriple(_ quote: UInt8) -> Bool { bytes[index...].starts(with: [quote, quote, quote]) }

    private mutating func endLine() throws(TOMLError) {
        try checkLine()
        index += 1
        line += 1
        lineStart = index
        dots = 0
    }

    private func checkLine() throws(TOMLError) {
        guard index - lineStart <= limits.lineBytes else {
            throw TOMLError(line: line, column: limits.lineBytes + 1, reason: "longer than \(limits.lineBytes) bytes")
        }
    }

    /// At the byte that is looked at. The column counts characters, as the parser's does.
    private func fault(_ reason: String) -> TOMLError {
        let column = bytes[lineStart..<index].count { $0 & 0xC0 != 0x80 } + 1
        return TOMLError(line: line, column: column, reason: reason)
    }
}
