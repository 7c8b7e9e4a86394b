// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import NIOCore
import Remoting
import SQLite

extension ServedField {
    /// Returns the column in a statement.
    ///
    /// - Parameter source: the alias of the table; nil if there is one table.
    func column(of source: String?) -> SQLText {
        source.map { "\(name: $0).\(name: column)" } ?? "\(name: column)"
    }
}

extension ServerCollation {
    /// The part of a statement after a text operand.
    var clause: SQLText {
        switch self {
        case .binary: " COLLATE BINARY"
        case .nocase: " COLLATE NOCASE"
        case .trim: " COLLATE RTRIM"
        }
    }
}

/// Converts values of a request to bound values.
enum ConstantText {
    /// Converts a text to the form in which a field stores its values. Without a field the declared type decides.
    ///
    /// - Parameter type: a type without `dat`.
    static func value(_ text: String, type: String, for field: ServedField?) throws(QueryError) -> SQLiteValue {
        let type = field?.type ?? DataType(name: "dat" + type) ?? DataType(name: type) ?? .wideString
        let value: SQLiteValue?
        switch type {
        case .dateTime:
            guard let days = DateText.read(text) else { throw QueryError("'\(text)' is not a date") }
            value = field?.dates == .text ? DateText.write(days).map { .text($0) } : .real(days)
        case .boolean:
            value = ["true": .integer(1), "1": .integer(1), "false": .integer(0), "0": .integer(0)][text.lowercased()]
        case .currency where field != nil:
            value = Currency(text).map { .integer($0.scaled) } ?? Double(text).map { .real($0 * 10_000) }
        case .currency, .decimal, .float, .singleFloat: value = Double(text).map { .real($0) }
        case .blob, .cursor: value = nil
        case .guid:
            let isBraced = text.hasPrefix("{") && text.hasSuffix("}")
            value = .text(isBraced ? String(text.dropFirst().dropLast()) : text)
        case _ where type.isWholeNumber: value = Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) }
        default: value = .text(text)
        }
        guard let value else { throw QueryError("'\(text)' is not a value of \(type.name)") }
        return value
    }

    /// Converts a typed value.
    static func value(_ value: DataValue, for field: ServedField?) throws(QueryError) -> SQLiteValue {
        switch value {
        case .null: return .null
        case .text(let text): return try self.value(text, type: "WideString", for: field)
        case .unreadable(let text): return try self.value(text.text, type: "WideString", for: field)
        case .currency(let scaled): return try self.value("\(Currency(scaled: scaled))", type: "Currency", for: field)
        case .decimal(let number): return try self.value(number.description, type: "Decimal", for: field)
        case .integer(let number): return try self.value(String(number), type: "LargeInt", for: field)
        case .unsigned(let number): return try self.value(String(number), type: "LargeUInt", for: field)
        case .boolean(let flag): return .integer(flag ? 1 : 0)
        case .float(let number):
            if field?.type == .currency { return .real((number * 10_000).rounded()) }
            return .real(number)
        case .dateTime(let days):
            guard field?.dates == .text else { return .real(days) }
            guard let text = DateText.write(days) else { throw QueryError("a date out of range") }
            return .text(text)
        case .bytes(let bytes): return .blob(Array(bytes.readableBytesView))
        }
    }
}
