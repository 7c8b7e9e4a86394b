// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The characters of the 8-bit text of a server: String, Memo and FixedChar. The wire does not name the page.
///
/// It is the only converter between the bytes of such cells and text. A page of one byte for each character is
/// unambiguous: each character has one byte.
public final class CodePage: Sendable {
    /// The number that Windows uses, such as 1252.
    public let number: Int
    /// Whether the page is a guess, because none is known. It is then ISO 8859-1.
    package let isAssumed: Bool
    /// The UTF-16 unit of each byte, U+FFFD for a byte without a character; nil for UTF-8.
    package let units: [UInt16]?
    /// The byte of each character beyond ASCII.
    private let codes: [UInt16: UInt8]
    /// Whether an assumed page has read a text that is not ASCII.
    private let isSeen = Atomic(false)

    /// ISO 8859-1.
    public static let latin1 = CodePage(28_591, units: (0...255).map { UInt16($0) })
    /// UTF-8.
    public static let utf8 = CodePage(65_001, units: nil)

    /// Returns ISO 8859-1, for text whose code page is not known.
    package static func assumed() -> CodePage { CodePage(latin1.number, units: latin1.units, isAssumed: true) }

    /// The numbers of all known pages.
    package static var known: [Int] { CodePageData.pages.keys.sorted() + [utf8.number] }

    /// Returns the page with a number of Windows; nil if it is not known.
    public static func page(_ number: Int) -> CodePage? {
        if number == utf8.number { return utf8 }
        guard let upper = CodePageData.pages[number] else { return nil }
        return CodePage(number, units: (0..<0x80).map { UInt16($0) } + Array(upper.description.utf16))
    }

    /// Returns the page with a name such as `windows-1252`, `cp437`, `iso-8859-15` or `utf-8`, in any case, or with a
    /// number of Windows as text; nil if it is not known.
    public static func named(_ name: String) -> CodePage? {
        let name = name.lowercased()
        let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.reversed()
        guard let number = Int(String(digits)) else { return nil }
        return switch name.dropLast(digits.count) {
        case "utf-", "utf": number == 8 ? utf8 : nil
        case "latin": number == 1 ? latin1 : nil
        case "iso-8859-", "iso8859-": (1...16).contains(number) ? page(28_590 + number) : nil
        case "", "cp", "windows-", "ibm": page(number)
        default: nil
        }
    }

    private init(_ number: Int, units: [UInt16]?, isAssumed: Bool = false) {
        self.number = number
        self.units = units
        self.isAssumed = isAssumed
        codes = Dictionary(
            (units ?? []).enumerated().dropFirst(0x80).map { ($1, UInt8($0)) }.filter { $0.0 != 0xFFFD }
        ) { first, _ in first }
    }

    /// The usual name, such as `windows-1252`.
    public var name: String {
        switch number {
        case 1250...1258: "windows-\(number)"
        case 28_591...28_606: "iso-8859-\(number - 28_590)"
        case Self.utf8.number: "utf-8"
        default: "cp\(number)"
        }
    }

    /// Whether this page was assumed, and has read text that is not ASCII.
    package var wasGuessed: Bool { isSeen.load(ordering: .relaxed) }

    /// Notes that the page reads some text.
    package func willRead(_ bytes: UnsafeRawBufferPointer) {
        guard isAssumed, !wasGuessed, bytes.contains(where: { $0 >= 0x80 }) else { return }
        isSeen.store(true, ordering: .relaxed)
    }
}

extension CodePage {
    /// Decodes a cell: `.text`, or `.unreadable` if a byte has no character.
    package func value(_ bytes: UnsafeRawBufferPointer) -> DataValue {
        // Not `contains`, which tests one byte at a time because it stops at the first one found.
        guard bytes.reduce(0, |) >= 0x80 else { return .text(String(decoding: bytes, as: UTF8.self)) }
        willRead(bytes)
        guard let units else {
            if let text = String(validating: bytes, as: UTF8.self) { return .text(text) }
            return .unreadable(
                UnreadableText(bytes, String(decoding: bytes, as: UTF8.self), Self.wrongByte(bytes), self)
            )
        }
        let text = TextDecoder.text(bytes, units)
        guard let wrong = bytes.first(where: { units[Int($0)] == 0xFFFD }) else { return .text(text) }
        return .unreadable(UnreadableText(bytes, text, wrong, self))
    }

    /// The first byte that is not part of a character in UTF-8.
    private static func wrongByte(_ bytes: UnsafeRawBufferPointer) -> UInt8 {
        // A character has four bytes at most.
        var start = 0
        while start < bytes.count {
            let size = (1...4).first { size in
                start + size <= bytes.count && String(validating: bytes[start..<(start + size)], as: UTF8.self) != nil
            }
            guard let size else { return bytes[start] }
            start += size
        }
        return 0
    }

    /// Encodes a text.
    ///
    /// - Throws: `UnmappableCharacter` for the first one that the page does not have.
    package func bytes(_ text: String) throws(UnmappableCharacter) -> [UInt8] {
        if units == nil || text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            guard let byte = byte(scalar) else { throw UnmappableCharacter(character: scalar, codePage: name) }
            bytes.append(byte)
        }
        return bytes
    }

    private func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        if scalar.isASCII { return UInt8(scalar.value) }
        return UInt16(exactly: scalar.value).flatMap { codes[$0] }
    }
}

extension CodePage: Hashable {
    /// Whether both are the same page.
    public static func == (left: CodePage, right: CodePage) -> Bool { left.number == right.number }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A character that a code page does not have.
public struct UnmappableCharacter: Error, Hashable, Sendable, CustomStringConvertible {
    /// The character.
    public let character: Unicode.Scalar
    /// The name of the code page.
    public let codePage: String

    /// A sentence fragment.
    public var description: String {
        "\(codePage) has no character \(String(character).debugDescription) (U+\(Self.hex(character.value)))"
    }

    private static func hex(_ number: UInt32) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
