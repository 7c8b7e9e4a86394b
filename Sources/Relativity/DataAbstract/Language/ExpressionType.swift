// SPDX-License-Identifier: Apache-2.0

import Platform
import Remoting

/// The type of an expression, by which operations are chosen before any row is read.
enum ExpressionType: Sendable {
    /// Only NULL. Fits wherever another type does.
    case null
    case boolean
    /// 64 bits, signed.
    case integer
    case currency
    /// Also LargeUInt.
    case decimal
    case float
    case text
    /// A text that is compared without case and braces.
    case guid
    case date
    /// Bytes, which can only be returned, tested for NULL and counted.
    case bytes

    init(_ type: DataType) {
        self =
            switch type {
            case .boolean: .boolean
            case .largeUInt, .decimal: .decimal
            case .currency: .currency
            case .float, .singleFloat: .float
            case .guid: .guid
            case .dateTime: .date
            case .unknown, .blob, .cursor: .bytes
            default: type.wholeNumbers == nil ? .text : .integer
            }
    }

    var name: String {
        switch self {
        case .null: "NULL"
        case .boolean: "Boolean"
        case .integer: "Integer"
        case .currency: "Currency"
        case .decimal: "Decimal"
        case .float: "Float"
        case .text: "text"
        case .guid: "Guid"
        case .date: "DateTime"
        case .bytes: "Blob"
        }
    }

    /// The type of a column with values of this type.
    var dataType: DataType {
        switch self {
        case .null, .text: .wideString
        case .boolean: .boolean
        case .integer: .largeInt
        case .currency: .currency
        case .decimal: .decimal
        case .float: .float
        case .guid: .guid
        case .date: .dateTime
        case .bytes: .blob
        }
    }

    /// The order in which a number is widened; nil for other types.
    private var width: Int? {
        switch self {
        case .integer: 0
        case .currency: 1
        case .decimal: 2
        case .float: 3
        default: nil
        }
    }

    var isNumber: Bool { width != nil }

    var isText: Bool { self == .text || self == .guid }

    /// The type that can hold the values of both; nil if there is none.
    func joined(_ other: ExpressionType) -> ExpressionType? {
        if self == other || other == .null { return self }
        if self == .null { return other }
        if isText, other.isText { return .text }
        guard let width, let otherWidth = other.width else { return nil }
        return width < otherWidth ? other : self
    }

    /// Whether values can be compared with values of another type.
    func isComparable(to other: ExpressionType) -> Bool {
        if self == .bytes || other == .bytes { return false }
        if self == .null || other == .null { return true }
        let isCounted = isNumber || self == .boolean
        return joined(other) != nil || isCounted && (other.isNumber || other == .boolean)
    }
}

/// Conversions of values. A value that does not fit becomes NULL.
enum ValueConversion {
    /// Converts to a type of expressions.
    static func convert(_ value: DataValue, to type: ExpressionType) -> DataValue {
        switch type {
        case .integer: whole(value, digits: 0).map { .integer($0) } ?? .null
        case .currency: whole(value, digits: 4).map { .currency(scaled: $0) } ?? .null
        case .decimal: decimal(value).map { .decimal($0) } ?? .null
        case .float: float(value).map { .float($0) } ?? .null
        case .text, .guid: text(value).map { .text($0) } ?? .null
        case .date: date(value)
        case .boolean: if case .boolean = value { value } else { .null }
        case .bytes: if case .bytes = value { value } else { .null }
        case .null: .null
        }
    }

    /// Converts to the type of a column.
    static func fit(_ value: DataValue, to type: DataType) -> DataValue {
        if let range = type.wholeNumbers {
            guard type != .largeUInt else {
                guard let number = decimal(value)?.rounded(digits: 0), !number.isNegative else { return .null }
                return UInt64(exactly: number.magnitude).map { .unsigned($0) } ?? .null
            }
            guard let number = whole(value, digits: 0), range.contains(Int128(number)) else { return .null }
            return .integer(number)
        }
        guard type == .singleFloat else { return convert(value, to: ExpressionType(type)) }
        guard let number = float(value), Float(number).isFinite else { return .null }
        return .float(Double(Float(number)))
    }

    /// The number times 10^digits, rounded, halves away from zero.
    private static func whole(_ value: DataValue, digits: Int) -> Int64? {
        switch value {
        case .integer(let number) where digits == 0: number
        case .currency(let scaled) where digits == 4: scaled
        case .integer(let number):
            number.multipliedReportingOverflow(by: 10_000).overflow ? nil : number * 10_000
        default: decimal(value)?.scaled(digits: digits)
        }
    }

    static func decimal(_ value: DataValue) -> DataDecimal? {
        switch value {
        case .integer(let number): DataDecimal(number)
        case .unsigned(let number): DataDecimal(magnitude: UInt128(number), scale: 0, isNegative: false)
        case .currency(let scaled): DataDecimal(scaled, scale: 4)
        case .decimal(let number): number
        case .float(let number): DataDecimal(number)
        case .boolean(let flag): DataDecimal(Int64(flag ? 1 : 0))
        case .text(let text): DataDecimal(text) ?? float(value).flatMap { DataDecimal($0) }
        case .null, .dateTime, .bytes, .unreadable: nil
        }
    }

    static func float(_ value: DataValue) -> Double? {
        switch value {
        case .float(let number): return number.isFinite ? number : nil
        case .integer(let number): return Double(number)
        case .text(let text): return Double(decimal: text)
        default: return decimal(value)?.double
        }
    }

    /// The text of a number has no zeros after the last decimal, except those of a Decimal.
    private static func text(_ value: DataValue) -> String? {
        switch value {
        case .text(let text): return text
        case .unreadable(let text): return text.text
        case .integer(let number): return String(number)
        case .unsigned(let number): return String(number)
        case .currency(let scaled): return DataDecimal(scaled, scale: 4).shortest.description
        case .decimal(let number): return number.description
        case .boolean(let flag): return flag ? "true" : "false"
        case .dateTime(let days): return DateTime(days: days).description
        case .float(let number):
            guard number.isFinite else { return nil }
            let digits = number.description
            return digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
        case .null, .bytes: return nil
        }
    }

    private static func date(_ value: DataValue) -> DataValue {
        switch value {
        case .dateTime: value
        case .text(let text): PredicateDate(text).map { .dateTime(days: $0.days) } ?? .null
        default: .null
        }
    }

    /// Returns a Guid as it is compared: small letters, no braces.
    static func comparedGuid(_ value: DataValue) -> DataValue {
        guard case .text(let text) = value else { return value }
        return .text(
            String(
                decoding: text.utf8.lazy.filter { $0 != 0x7B && $0 != 0x7D }.map(NameMatch.lowered),
                as: UTF8.self
            )
        )
    }
}
