// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The characters of text with one byte per character, or UTF-8.
package struct CodePage: Sendable {
    /// Whether text was read that another code page may read differently.
    private final class Use: Sendable {
        let isSeen = Atomic(false)
    }

    /// The number that Windows uses, such as 1252.
    package let number: Int
    /// The UTF-16 unit of each byte; nil for UTF-8.
    let units: [UInt16]?
    /// Nil if the page is known.
    private let use: Use?

    /// ISO 8859-1.
    package static let latin1 = CodePage(number: 28_591, units: (0...255).map { UInt16($0) })
    /// Returns ISO 8859-1, for text whose code page is not known.
    package static func assumed() -> CodePage {
        CodePage(number: latin1.number, units: latin1.units, use: Use())
    }

    /// UTF-8. An invalid sequence is read as U+FFFD.
    package static let utf8 = CodePage(number: 65_001, units: nil)

    /// The numbers of all known pages.
    package static var known: [Int] { CodePageData.pages.keys.sorted() + [utf8.number] }

    /// Returns the page with a number.
    ///
    /// - Throws: `unknownCodePage`.
    package static func page(_ number: Int) throws(FormatError) -> CodePage {
        if number == utf8.number { return utf8 }
        guard let upper = CodePageData.pages[number] else { throw .unknownCodePage(number) }
        return CodePage(number: number, units: (0..<0x80).map { UInt16($0) } + Array(upper.description.utf16))
    }

    private init(number: Int, units: [UInt16]?, use: Use? = nil) {
        self.number = number
        self.units = units
        self.use = use
    }

    /// Whether this page was assumed, and has read text that is not ASCII.
    package var wasGuessed: Bool { use?.isSeen.load(ordering: .relaxed) ?? false }

    /// Notes that the page reads some text.
    func willRead(_ bytes: UnsafeRawBufferPointer) {
        guard let use, !use.isSeen.load(ordering: .relaxed), bytes.contains(where: { $0 >= 0x80 }) else { return }
        use.isSeen.store(true, ordering: .relaxed)
    }

    /// Returns text in this page that was read as Latin-1.
    package func text(fromLatin1 text: String) -> String {
        let bytes = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        bytes.withUnsafeBytes { willRead($0) }
        guard let units else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: bytes.map { units[Int($0)] }, as: UTF16.self)
    }
}

extension CodePage: Hashable {
    /// Whether both are the same page.
    package static func == (left: CodePage, right: CodePage) -> Bool { left.number == right.number }

    /// Hashes the number.
    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
