// SPDX-License-Identifier: Apache-2.0

public import NIOCore
import Remoting

/// What a cell holds. Several types of columns share a case; the column says which it is.
public enum DataValue: Hashable, Sendable {
    case null
    /// Every whole number but LargeUInt: AutoInc, Integer, LargeInt, LargeAutoInc, Byte, ShortInt, Word, SmallInt, Cardinal.
    case integer(Int64)
    /// LargeUInt.
    case unsigned(UInt64)
    /// Float, and SingleFloat, to which a value is rounded when it is written.
    case float(Double)
    /// Days since 1899-12-30 00:00 by a wall clock without a zone. What a fraction means before that day is not agreed.
    case dateTime(days: Double)
    /// The amount times 10,000.
    case currency(scaled: Int64)
    case boolean(Bool)
    case decimal(DataDecimal)
    /// Text of any kind, Xml and Guid among them: a Guid has 36 characters without braces.
    ///
    /// String, Memo and FixedChar have one byte for each character: they are read as Latin-1, and only that is written.
    /// `DataRow.bytes(_:)` has the bytes, for whoever knows the code page.
    case text(String)
    /// Blob and Cursor.
    case bytes(ByteBuffer)
}

extension DataValue {
    /// True for `.null`, without comparing anything else.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// The type of a column, by its number in a stream (docs/wire.md, "Tables").
public enum DataType: UInt8, Sendable, CaseIterable {
    case unknown
    /// An 8-bit string in the code page of whoever wrote it, as are `memo` and `fixedChar`.
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
    /// Bytes, as a blob.
    case cursor

    private static let names = [
        "Unknown", "String", "DateTime", "Float", "Currency", "AutoInc", "Integer", "LargeInt", "Boolean", "Memo",
        "Blob", "WideString", "WideMemo", "LargeAutoInc", "Byte", "ShortInt", "Word", "SmallInt", "Cardinal",
        "LargeUInt", "Guid", "Xml", "Decimal", "SingleFloat", "FixedChar", "FixedWideChar", "Cursor",
    ]
    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name.lowercased(), $0) })

    /// As a schema writes it: `datInteger`.
    public var name: String { "dat" + Self.names[Int(rawValue)] }

    /// Reads `datInteger` in any case; nil for anything else.
    public init?(name: String) {
        guard let type = Self.byName[name.lowercased()] else { return nil }
        self = type
    }
}

/// An exact decimal number of at most 96 bits and 28 decimals, which keeps its decimals: `1.50` is not `1.5`.
public struct DataDecimal: Hashable, Sendable {
    let number: Decimal96

    init(_ number: Decimal96) {
        self.number = number
    }

    /// The number without its decimal point and sign.
    public var magnitude: UInt128 { UInt128(number.high) << 64 | UInt128(number.low) }

    /// Decimals, 0 to 28.
    public var scale: Int { Int(number.scale) }

    public var isNegative: Bool { number.isNegative }
}

extension DataDecimal: LosslessStringConvertible {
    /// Reads `-12.50`, without an exponent; nil beyond 96 bits or 28 decimals.
    public init?(_ description: String) {
        guard let number = Decimal96(description) else { return nil }
        self.number = number
    }

    public var description: String { number.description }
}
