// SPDX-License-Identifier: Apache-2.0

/// Scans a text before the parser does. It rejects a text that exceeds the limits, and bytes that TOML allows only in
/// strings and comments. It recognises only strings, comments, brackets and dots, so an accepted text is bounded but
/// may still be invalid.
///
/// The scanner and the parser agree on the beginning and end of strings up to the first error in a text, where the
/// parser stops.
struct TOMLScreen {
    private let bytes: [UInt8]
    private let limits: TOMLLimits
    private var index = 0
    private var line = 1
    private var lineStart = 0
    private var nesting = 0
    /// The number of dots in the key or number at `index`.
    private var dots = 0

    init(_ bytes: [UInt8], limits: TOMLLimits) {
        self.bytes = bytes
        self.limits = limits
        // A byte order mark at the beginning is not a character of the text.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// - Throws: `TOMLError` for the first violation.
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
                // Up to two quotes may precede the closing ones.
                for _ in 0..<2 where index < bytes.count && bytes[index] == quote { index += 1 }
                return
            }
            if bytes[index] == UInt8(ascii: "\n") { try endLine() } else { try skipCharacter(of: quote) }
        }
    }

    /// Skips one byte, or a backslash and the byte that it escapes, unless that byte ends the line.
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

    /// Returns an error at the current byte. The column counts characters, as the parser's does.
    private func fault(_ reason: String) -> TOMLError {
        let column = bytes[lineStart..<index].count { $0 & 0xC0 != 0x80 } + 1
        return TOMLError(line: line, column: column, reason: reason)
    }
}
