// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import Platform
import Remoting

/// The cells of a row in a document, one JSON value each.
enum CellDocument {
    static func write(_ row: DataRow, _ columns: [DataColumn]) -> JSONValue {
        .array(row.map(write))
    }

    static func read(_ value: JSONValue?, _ columns: [DataColumn]) throws -> [DataValue] {
        guard let cells = value?.arrayValue, cells.count == columns.count else { throw DocumentError.shape("row") }
        return try zip(cells, columns).map { cell, column in
            guard let value = Self.value(cell, as: column.type) else {
                throw DocumentError.shape("value for column \(column.name.debugDescription)")
            }
            return value
        }
    }

    private static func write(_ value: DataValue) -> JSONValue {
        switch value {
        case .null: .null
        case .integer(let value): .integer(value)
        case .unsigned(let value): Int64(exactly: value).map { .integer($0) } ?? .string(String(value))
        case .float(let value): number(value)
        case .dateTime(let days):
            // As text where that gives back the very number.
            DateTime(days: days).text.flatMap { DateTime($0)?.days == days ? .string($0) : nil } ?? number(days)
        case .currency(let scaled): .string(Currency(scaled: scaled).description)
        case .boolean(let value): .bool(value)
        case .decimal(let value): .string(value.description)
        case .text(let text): .string(text)
        case .bytes(let bytes): .string(HexText.encode(bytes.readableBytesView))
        }
    }

    /// JSON has no NaN and no infinity.
    private static func number(_ value: Double) -> JSONValue {
        value.isFinite ? .number(value) : .string(value.description)
    }

    private static func value(_ json: JSONValue, as type: DataType) -> DataValue? {
        let text = json.stringValue
        let number = json.numberValue ?? text.flatMap { Double($0) }
        switch type {
        case _ where json.isNull: return .null
        case .unknown: return nil
        case .byte, .shortInt, .word, .smallInt, .integer, .autoInc, .cardinal, .largeInt, .largeAutoInc:
            return json.integerValue.map { .integer($0) }
        case .largeUInt:
            return (json.integerValue.flatMap(UInt64.init) ?? text.flatMap { UInt64($0) }).map { .unsigned($0) }
        case .float, .singleFloat: return number.map { .float($0) }
        case .dateTime: return (text.flatMap { DateTime($0)?.days } ?? number).map { .dateTime(days: $0) }
        case .currency: return text.flatMap { Currency($0) }.map { .currency(scaled: $0.scaled) }
        case .boolean: return json.boolValue.map { .boolean($0) }
        case .decimal: return text.flatMap { DataDecimal($0) }.map { .decimal($0) }
        case .blob, .cursor: return text.flatMap { HexText.decode($0) }.map { .bytes(ByteBuffer(bytes: $0)) }
        case .string, .memo, .fixedChar, .wideString, .wideMemo, .fixedWideChar, .xml, .guid:
            return text.map { .text($0) }
        }
    }
}
