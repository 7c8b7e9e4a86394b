// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Platform

/// The types of Decimal and Currency in Arrow, where all values of a column have the same number of decimals.
package struct ArrowDecimals: Hashable, Sendable {
    /// The choice of a user for all fields.
    package enum Rule: Hashable, Sendable {
        /// Decimal has the digits that the schema declares, and is text if it declares none.
        case declared
        /// Decimal and Currency are rounded to Doubles.
        case float
        /// Decimal is text, also if the schema declares digits.
        case text
        /// Decimal has so many digits, of which some are after the point.
        case fixed(precision: Int, scale: Int)

        /// Parses `float`, `text`, or the digits as `18,4`.
        ///
        /// - Returns: nil for another text, and for digits that Arrow does not have.
        package init?(parsing text: String) {
            switch text {
            case "float": self = .float
            case "text": self = .text
            default:
                guard let digits = Self(digits: text) else { return nil }
                self = digits
            }
        }

        private init?(digits text: String) {
            let digits = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            guard digits.count == 2, let precision = digits[0], let scale = digits[1],
                Self.isPossible(precision, scale)
            else { return nil }
            self = .fixed(precision: precision, scale: scale)
        }

        fileprivate static func isPossible(_ precision: Int, _ scale: Int) -> Bool {
            (1...38).contains(precision) && (0...precision).contains(scale)
        }
    }

    /// The choice of the user.
    package var rule: Rule
    /// The type of each declared field.
    private var declared: [NameKey: ArrowType] = [:]

    /// - Parameter fields: those of the table in the schema of the service. The schema in a stream rarely declares digits.
    package init(_ rule: Rule = .declared, fields: [SchemaField] = []) {
        self.rule = rule
        for field in fields { declared[NameKey(field.name)] = Self.type(of: field) }
    }

    /// Whether a field is a Decimal that is text without a choice of the user, because its schema declares no digits.
    package static func isText(_ field: SchemaField) -> Bool { field.type == .decimal && type(of: field) == nil }

    private static func type(of field: SchemaField) -> ArrowType? {
        guard field.type == .decimal, Rule.isPossible(field.precision, field.scale) else { return nil }
        return .decimal(precision: Int32(field.precision), scale: Int32(field.scale))
    }

    /// The type of a Decimal.
    ///
    /// - Parameter entry: the field in the schema of the stream; nil if it has none.
    func type(ofDecimal name: String, _ entry: SchemaEntry?) -> ArrowType {
        switch rule {
        case .float: .float(isDouble: true)
        case .text: .text
        case .fixed(let precision, let scale): .decimal(precision: Int32(precision), scale: Int32(scale))
        case .declared: declared[NameKey(name)] ?? entry.flatMap { Self.type(of: SchemaField($0)) } ?? .text
        }
    }
}

extension ArrowType {
    /// The type of a column's values.
    init(_ type: DataType, _ name: String, _ entry: SchemaEntry?, _ decimals: ArrowDecimals) {
        switch type {
        case .boolean: self = .boolean
        case .byte: self = .integer(bits: 8, isSigned: false)
        case .shortInt: self = .integer(bits: 8, isSigned: true)
        case .word: self = .integer(bits: 16, isSigned: false)
        case .smallInt: self = .integer(bits: 16, isSigned: true)
        case .cardinal: self = .integer(bits: 32, isSigned: false)
        case .integer, .autoInc: self = .integer(bits: 32, isSigned: true)
        case .largeUInt: self = .integer(bits: 64, isSigned: false)
        case .largeInt, .largeAutoInc: self = .integer(bits: 64, isSigned: true)
        case .singleFloat: self = .float(isDouble: false)
        case .float: self = .float(isDouble: true)
        case .currency: self = decimals.rule == .float ? .float(isDouble: true) : .decimal(precision: 19, scale: 4)
        case .decimal: self = decimals.type(ofDecimal: name, entry)
        case .dateTime: self = .timestamp
        case .blob, .cursor: self = .binary
        case .unknown, .string, .memo, .fixedChar, .wideString, .wideMemo, .fixedWideChar, .xml, .guid: self = .text
        }
    }
}
