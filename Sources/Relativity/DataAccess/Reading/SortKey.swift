// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import NIOCore

/// A column to sort by, and the direction.
struct SortColumn: Hashable, Sendable {
    /// The index of the column.
    let column: Int
    /// Whether the greatest value is first. NULL is first in either direction.
    let isDescending: Bool

    /// Creates a column to sort by.
    init(_ column: Int, isDescending: Bool = false) {
        self.column = column
        self.isDescending = isDescending
    }
}

/// Writes the sort columns of a row as bytes. Rows are in order if their keys are, compared byte by byte.
///
/// NULL is before every value. A Float that is not a number is less than every number. Text is compared by Unicode
/// scalars, a date in milliseconds, a Guid without case. Keys with different sequence numbers are different, and none
/// is the beginning of another one.
struct SortKey {
    private let columns: [SortColumn]
    private let types: [DataType]

    init(_ columns: [SortColumn], types: [DataType]) {
        self.columns = columns
        self.types = types
    }

    /// Appends the key of a row.
    ///
    /// - Parameter sequence: the number of the row, which decides between equal rows.
    func append(_ row: DataRow, sequence: UInt64, to bytes: inout [UInt8]) {
        for column in columns {
            let value = row[column.column]
            guard !value.isNull else {
                bytes.append(0)
                continue
            }
            bytes.append(1)
            let start = bytes.count
            Self.append(value, types[column.column], to: &bytes)
            if column.isDescending { for index in start..<bytes.count { bytes[index] = ~bytes[index] } }
        }
        Self.append(sequence, to: &bytes)
    }

    private static func append(_ value: DataValue, _ type: DataType, to bytes: inout [UInt8]) {
        switch value {
        case .null: break
        case .integer(let number), .currency(let number): append(signed: number, to: &bytes)
        case .unsigned(let number): append(number, to: &bytes)
        case .boolean(let flag): bytes.append(flag ? 1 : 0)
        case .float(let number): append(number, to: &bytes)
        case .dateTime(let days):
            append(signed: PredicateDate.milliseconds(ofRow: days) ?? .min, to: &bytes)
        case .decimal(let number): bytes += number.orderedBytes
        case .text(let text):
            if type == .guid {
                append(escaping: text.utf8.lazy.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, to: &bytes)
            } else {
                append(escaping: text.utf8, to: &bytes)
            }
        case .unreadable(let text): append(escaping: text.text.utf8, to: &bytes)
        case .bytes(let content): append(escaping: content.readableBytesView, to: &bytes)
        }
    }

    private static func append(_ number: some FixedWidthInteger & UnsignedInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(signed number: Int64, to bytes: inout [UInt8]) {
        append(UInt64(bitPattern: number) ^ 1 << 63, to: &bytes)
    }

    private static func append(_ number: Double, to bytes: inout [UInt8]) {
        // -0 equals 0.
        let bits = (number == 0 ? 0 : number).bitPattern
        append(number.isNaN ? 0 : bits >> 63 == 1 ? ~bits : bits | 1 << 63, to: &bytes)
    }

    /// Appends bytes and an end that is less than every continuation.
    private static func append(escaping content: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        for byte in content {
            bytes.append(byte)
            if byte == 0 { bytes.append(0xFF) }
        }
        bytes.append(0)
        bytes.append(0)
    }
}
