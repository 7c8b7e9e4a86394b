// SPDX-License-Identifier: Apache-2.0

/// The characters of text with one byte per character, or UTF-8.
package struct CodePage: Hashable, Sendable {
    /// The number that Windows uses, such as 1252.
    package let number: Int
    /// The UTF-16 unit of each byte; nil for UTF-8.
    let units: [UInt16]?

    /// ISO 8859-1.
    package static let latin1 = CodePage(number: 28_591, units: (0...255).map { UInt16($0) })
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

    private init(number: Int, units: [UInt16]?) {
        self.number = number
        self.units = units
    }
}
