// SPDX-License-Identifier: Apache-2.0

/// The ways in which programs escape characters of a text that they show or log.
struct EscapeForms: OptionSet {
    let rawValue: Int

    /// JSON and C: `\u0026`, `\u{26}`, `\x26`, `\046`, and a backslash before any other character.
    static let backslash = EscapeForms(rawValue: 1)
    /// URLs: `%26`, `%u0026`.
    static let percent = EscapeForms(rawValue: 2)
    /// Forms of web pages: a plus sign for a space.
    static let plus = EscapeForms(rawValue: 4)
    /// HTML and XML: `&amp;`, `&#38;`, `&#x26;`, and the names of Latin-1 and ASCII characters.
    static let entity = EscapeForms(rawValue: 8)
    /// Mail: `=26`, and line ends behind an equals sign.
    static let quotedPrintable = EscapeForms(rawValue: 16)

    static let all: EscapeForms = [.backslash, .percent, .entity, .quotedPrintable]

    /// What a text is decoded as: each form alone, for a password may hold what looks like another one, then a mixture.
    static let searched: [EscapeForms] = [
        .backslash, .percent, [.percent, .plus], .entity, .quotedPrintable, .all, [.all, .plus],
    ]

    /// Whether the byte may begin an escape of these forms.
    func begin(with byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\\"): contains(.backslash)
        case UInt8(ascii: "%"): contains(.percent)
        case UInt8(ascii: "+"): contains(.plus)
        case UInt8(ascii: "&"): contains(.entity)
        case UInt8(ascii: "="): contains(.quotedPrintable)
        default: false
        }
    }
}
