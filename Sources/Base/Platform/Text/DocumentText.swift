// SPDX-License-Identifier: Apache-2.0

/// Decodes documents that programs of other makers wrote: files, and bodies of replies.
package enum DocumentText {
    /// The reason why a document cannot be decoded.
    package struct UnknownEncoding: Error, Hashable, CustomStringConvertible {
        /// The encoding of the XML declaration; untrusted text of at most 40 bytes.
        package let name: String

        /// Creates an error.
        package init(name: String) {
            self.name = name
        }

        /// A sentence fragment.
        package var description: String { "the encoding '\(name)' is not supported" }
    }

    /// Bytes at the beginning that an XML declaration must end in.
    private static let declarationBytes = 256
    private static let longestName = 40

    /// The characters of the bytes 0x80 to 0x9F in windows-1252. The code page has none for five of them.
    private static let windows1252 = Array(
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars
    )

    /// Returns the text of an XML or JSON document without a byte-order mark, white space at the beginning, and NULs
    /// and white space at the end.
    ///
    /// The encoding is that of the byte-order mark. Without a mark it is UTF-16 if one of the first two bytes is 0,
    /// otherwise that of the XML declaration: UTF-8, US-ASCII, ISO-8859-1 or windows-1252; without a declaration,
    /// UTF-8. A declared UTF-16 that the bytes contradict is ignored, because the text was converted after it was
    /// written. Bytes without a character become U+FFFD, because they usually are in a comment or a documentation.
    package static func decode(_ bytes: [UInt8]) throws(UnknownEncoding) -> String {
        trimmed(try characters(of: bytes))
    }

    private static func characters(of bytes: [UInt8]) throws(UnknownEncoding) -> String {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFF, 0xFE): return utf16(bytes.dropFirst(2), isBigEndian: false)
        case (0xFE, 0xFF): return utf16(bytes.dropFirst(2), isBigEndian: true)
        case (0?, let second?) where second != 0: return utf16(bytes[...], isBigEndian: true)
        case (let first?, 0) where first != 0: return utf16(bytes[...], isBigEndian: false)
        default: break
        }
        switch declaredEncoding(of: bytes).lowercased() {
        case "", "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf16", "utf-16le", "utf-16be":
            return String(decoding: bytes, as: UTF8.self)
        case "iso-8859-1", "iso8859-1", "latin1", "latin-1": return text(bytes) { Unicode.Scalar($0) }
        case "windows-1252", "cp1252":
            return text(bytes) { (0x80...0x9F).contains($0) ? windows1252[Int($0) - 0x80] : Unicode.Scalar($0) }
        case let name: throw UnknownEncoding(name: String(decoding: name.utf8.prefix(longestName), as: UTF8.self))
        }
    }

    /// The encoding in the XML declaration; empty if there is none.
    private static func declaredEncoding(of bytes: [UInt8]) -> Substring {
        let start = String(decoding: bytes.prefix(declarationBytes), as: UTF8.self)
        let text = start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>") else { return "" }
        guard let key = text[..<end.lowerBound].firstRange(of: "encoding") else { return "" }
        let value = text[key.upperBound..<end.lowerBound].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return "" }
        return value.dropFirst().prefix { $0 != quote }
    }

    private static func text(_ bytes: [UInt8], _ character: (UInt8) -> Unicode.Scalar) -> String {
        String(String.UnicodeScalarView(bytes.lazy.map(character)))
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
        let (high, low) = isBigEndian ? (0, 1) : (1, 0)
        let start = bytes.startIndex
        let units = (0..<bytes.count / 2).lazy.map { index in
            UInt16(bytes[start + 2 * index + high]) << 8 | UInt16(bytes[start + 2 * index + low])
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func trimmed(_ text: String) -> String {
        func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || ("\t"..."\r").contains(scalar) }
        let scalars = text.unicodeScalars.drop { isBlank($0) || $0 == "\u{FEFF}" }
        guard let last = scalars.lastIndex(where: { !isBlank($0) && $0 != "\0" }) else { return "" }
        return String(scalars[...last])
    }
}
