// SPDX-License-Identifier: Apache-2.0

public import NIOCore
package import Remoting

/// The value of a cell. Several column types share a case; the column has the exact type.
public enum DataValue: Hashable, Sendable {
    case null
    /// Every integer type except LargeUInt: AutoInc, Integer, LargeInt, LargeAutoInc, Byte, ShortInt, Word, SmallInt,
    /// Cardinal.
    case integer(Int64)
    /// LargeUInt.
    case unsigned(UInt64)
    /// Float and SingleFloat. A SingleFloat is rounded to 32 bits when it is written.
    case float(Double)
    /// Days since 1899-12-30 00:00 in local time without a time zone. The meaning of a fraction before that day is
    /// not agreed (`PredicateDate`).
    case dateTime(days: Double)
    /// The amount times 10,000.
    case currency(scaled: Int64)
    case boolean(Bool)
    case decimal(DataDecimal)
    /// Text of any type, including Xml and Guid. A Guid has 36 characters without braces.
    ///
    /// String, Memo and FixedChar are read and written in the code page of the column, without one in Latin-1.
    case text(String)
    /// A text of String, Memo or FixedChar with a byte that has no character in the code page of the column.
    case unreadable(UnreadableText)
    /// Blob and Cursor.
    case bytes(ByteBuffer)
}

extension DataValue {
    /// Texts are equal if their bytes are: the composed and the decomposed form of a letter are two values.
    public static func == (left: DataValue, right: DataValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.unsigned(let left), .unsigned(let right)): left == right
        case (.float(let left), .float(let right)): left == right
        case (.dateTime(let left), .dateTime(let right)): left == right
        case (.currency(let left), .currency(let right)): left == right
        case (.boolean(let left), .boolean(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.text(let left), .text(let right)):
            left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
        case (.unreadable(let left), .unreadable(let right)): left == right
        case (.bytes(let left), .bytes(let right)): left == right
        default: false
        }
    }

    /// Whether this is `.null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// The type of a column. The raw value is its number in a stream (docs/wire.md, "Tables").
public enum DataType: UInt8, Sendable, CaseIterable {
    case unknown
    /// An 8-bit string in the code page of the program that wrote it, as are `memo` and `fixedChar`.
    case string
    case dateTime
    case float
    case currency
    case autoInc
    case integer
    case largeInt
    case boolean
    case memo
    case blob
    case wideString
    case wideMemo
    case largeAutoInc
    case byte
    /// 8 bits, signed.
    case shortInt
    /// 16 bits, unsigned.
    case word
    /// 16 bits, signed.
    case smallInt
    /// 32 bits, unsigned.
    case cardinal
    case largeUInt
    case guid
    case xml
    case decimal
    case singleFloat
    case fixedChar
    case fixedWideChar
    /// Bytes, like a blob.
    case cursor

    private static let names = [
        "Unknown", "String", "DateTime", "Float", "Currency", "AutoInc", "Integer", "LargeInt", "Boolean", "Memo",
        "Blob", "WideString", "WideMemo", "LargeAutoInc", "Byte", "ShortInt", "Word", "SmallInt", "Cardinal",
        "LargeUInt", "Guid", "Xml", "Decimal", "SingleFloat", "FixedChar", "FixedWideChar", "Cursor",
    ]
    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name.lowercased(), $0) })

    /// The name in a schema, such as `datInteger`.
    public var name: String { "dat" + Self.names[Int(rawValue)] }

    /// Parses a name such as `datInteger`, ignoring case. Returns nil if it is unknown.
    public init?(name: String) {
        guard let type = Self.byName[name.lowercased()] else { return nil }
        self = type
    }
}

/// An exact decimal number of at most 96 bits and 28 decimals. It keeps its scale: `1.50` differs from `1.5`.
public struct DataDecimal: Hashable, Sendable {
    /// The number in the form of the wire.
    package let number: Decimal96

    /// Makes a number of its form on the wire.
    package init(_ number: Decimal96) {
        self.number = number
    }

    /// The digits of the number as an integer, without decimal point and sign.
    public var magnitude: UInt128 { UInt128(number.high) << 64 | UInt128(number.low) }

    /// The number of decimals, 0 to 28.
    public var scale: Int { Int(number.scale) }

    /// Whether the number has a minus sign.
    public var isNegative: Bool { number.isNegative }
}

extension DataDecimal: LosslessStringConvertible {
    /// Parses a number such as `-12.50`, without an exponent. Returns nil beyond 96 bits or 28 decimals.
    public init?(_ description: String) {
        guard let number = Decimal96(description) else { return nil }
        self.number = number
    }

    public var description: String { number.description }
}
