// SPDX-License-Identifier: Apache-2.0

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
