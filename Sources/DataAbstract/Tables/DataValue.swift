// SPDX-License-Identifier: Apache-2.0

public import NIOCore

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
