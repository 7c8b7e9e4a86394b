// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import NIOCore
import Remoting
import SQLite

/// Converts the values of fields between the wire and the database.
///
/// A Currency is stored as an integer, the amount times 10,000; a Decimal and a Guid as text; a Boolean as 0 or 1; a
/// DateTime as the field declares.
enum FieldCodec {
    /// Returns the value for the database; nil if the field cannot have it.
    static func stored(_ value: DataValue, in field: ServedField) -> SQLiteValue? {
        stored(value, as: field.type, dates: field.dates)
    }

    /// Returns the value for the database; nil if the field cannot have it.
    static func stored(_ value: DataValue, as type: DataType, dates: ServedField.DateStorage) -> SQLiteValue? {
        switch value {
        case .null: return .null
        case .integer(let number): return type == .boolean ? .integer(number != 0 ? 1 : 0) : .integer(number)
        case .unsigned(let number): return Int64(exactly: number).map { .integer($0) }
        case .float(let number): return number.isNaN ? nil : .real(number)
        case .dateTime(let days):
            guard dates == .text else { return days.isNaN ? nil : .real(days) }
            return DateText.write(days).map { .text($0) }
        case .currency(let scaled): return .integer(scaled)
        case .boolean(let flag): return .integer(flag ? 1 : 0)
        case .decimal(let number): return .text(number.description)
        case .text(let text): return .text(text)
        case .unreadable(let text): return .text(text.text)
        case .bytes(let bytes): return .blob(Array(bytes.readableBytesView))
        }
    }

    /// Returns the value for the wire; nil if the type of the field cannot hold it, which an SQLite file may contain.
    static func value(_ stored: SQLiteValue, as type: DataType, dates: ServedField.DateStorage) -> DataValue? {
        if case .null = stored { return .null }
        switch type {
        case .autoInc, .integer, .largeInt, .largeAutoInc, .byte, .shortInt, .word, .smallInt, .cardinal:
            return integer(stored).map { .integer($0) }
        case .largeUInt: return integer(stored).flatMap { UInt64(exactly: $0) }.map { .unsigned($0) }
        case .boolean: return integer(stored).map { .boolean($0 != 0) }
        case .currency: return integer(stored).map { .currency(scaled: $0) }
        case .float, .singleFloat: return real(stored).map { .float($0) }
        case .dateTime: return date(stored, dates)
        case .decimal: return text(stored).flatMap { DataDecimal($0) }.map { .decimal($0) }
        case .string, .memo, .fixedChar:
            // Characters beyond the code page are replaced, as the vendor's servers do.
            return text(stored).map { text in
                .text(String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value <= 0xFF ? $0 : "?" })))
            }
        case .wideString, .wideMemo, .fixedWideChar, .xml: return text(stored).map { .text($0) }
        case .guid: return text(stored).flatMap { $0.utf8.count == 36 ? .text($0) : nil }
        case .blob, .cursor:
            switch stored {
            case .blob(let bytes): return .bytes(ByteBuffer(bytes: bytes))
            default: return text(stored).map { .bytes(ByteBuffer(string: $0)) }
            }
        case .unknown: return nil
        }
    }

    private static func integer(_ stored: SQLiteValue) -> Int64? {
        switch stored {
        case .integer(let value): value
        case .real(let value): Int64(exactly: value)
        default: nil
        }
    }

    private static func real(_ stored: SQLiteValue) -> Double? {
        switch stored {
        case .integer(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }

    private static func text(_ stored: SQLiteValue) -> String? {
        switch stored {
        case .text(let text): text
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .blob, .null: nil
        }
    }

    private static func date(_ stored: SQLiteValue, _ dates: ServedField.DateStorage) -> DataValue? {
        switch dates {
        case .days: real(stored).map { .dateTime(days: $0) }
        case .text: text(stored).flatMap(DateText.read).map { .dateTime(days: $0) }
        }
    }
}

/// Dates as text, as SQLite's functions write them and clients write them in conditions.
enum DateText {
    /// Returns days since 1899-12-30; nil if the text is not a date. `T` or a space separates date and time, and the
    /// time may be missing.
    static func read(_ text: String) -> Double? {
        var bytes = Array(text.utf8)
        if bytes.count == 10 { bytes += Array("T00:00:00".utf8) }
        if bytes.count == 16 { bytes += Array(":00".utf8) }
        if bytes.count > 10, bytes[10] == UInt8(ascii: " ") { bytes[10] = UInt8(ascii: "T") }
        return DateTime(String(decoding: bytes, as: UTF8.self))?.days
    }

    /// Returns `2020-01-02 03:04:05`, with `.678` if there are milliseconds; nil for a time that has no such text. A fraction
    /// before 1899-12-30 is read and written by plain arithmetic.
    static func write(_ days: Double) -> String? {
        DateTime(days: days).linearText.map { String($0.map { $0 == "T" ? " " : $0 }) }
    }
}
