// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Platform
import Remoting

extension DataValue {
    /// Parses a value of a type: numbers with a decimal point, `true`, `false`, `1` or `0`, dates as
    /// `2020-01-02T03:04:05`, Blobs in Base64. A Guid may have braces. Returns nil if the text is not a value of the type.
    ///
    /// The range of an integer type, and the characters of a text, are not checked.
    public init?(_ text: String, as type: DataType) {
        let value: DataValue? =
            switch type {
            case .unknown, .cursor: nil
            case .blob: Base64.decode(text).map { .bytes(ByteBuffer(bytes: $0)) }
            case .boolean:
                switch text.lowercased() {
                case "true", "1": .boolean(true)
                case "false", "0": .boolean(false)
                default: nil
                }
            case .autoInc, .integer, .largeInt, .largeAutoInc, .byte, .shortInt, .word, .smallInt, .cardinal:
                Int64(text).map { .integer($0) }
            case .largeUInt: UInt64(text).map { .unsigned($0) }
            case .float, .singleFloat: Double(decimal: text).map { .float($0) }
            case .currency: Currency(text).map { .currency(scaled: $0.scaled) }
            case .decimal: DataDecimal(text).map { .decimal($0) }
            case .dateTime: PredicateDate(text).map { .dateTime(days: $0.days) }
            case .guid: .text(text.hasPrefix("{") && text.hasSuffix("}") ? String(text.dropFirst().dropLast()) : text)
            case .string, .memo, .fixedChar, .wideString, .wideMemo, .fixedWideChar, .xml: .text(text)
            }
        guard let value else { return nil }
        self = value
    }

    /// The text that `init(_:as:)` parses to the same value, a time to the millisecond; nil for NULL. A byte without a
    /// character is U+FFFD, which is not parsed to the same value.
    public func text(as type: DataType) -> String? {
        switch self {
        case .null: nil
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .float(let value) where value.isNaN: "NaN"
        case .float(let value) where value.isInfinite: value < 0 ? "-Infinity" : "Infinity"
        case .float(let value): type == .singleFloat ? "\(Float(value))" : "\(value)"
        case .dateTime(let days): "\(DateTime(days: days))"
        case .currency(let scaled): "\(DataDecimal(scaled, scale: 4))"
        case .boolean(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .text(let text): text
        case .unreadable(let text): text.text
        case .bytes(let bytes): Base64.encode(Array(bytes.readableBytesView))
        }
    }
}

extension Double {
    /// Parses a finite number in decimal digits, with an exponent or without one. `init(_:)` also takes `inf`, `nan` and
    /// hexadecimal digits.
    package init?(decimal text: String) {
        guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }), let number = Double(text), number.isFinite
        else { return nil }
        self = number
    }
}
