// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Remoting

/// Reads the cells of a row that `StreamReader` has validated, so that nothing here can fail.
struct CellReader {
    private let bytes: UnsafeRawBufferPointer
    private var row: Int
    private let types: [DataType]
    private let setMeansNull: Bool
    /// Of 8-bit text; nil for Latin-1.
    private let codePage: CodePage?
    /// The index of the next cell. `position` is the offset of its content, unless it is null.
    private(set) var column = 0
    private(set) var position: Int

    /// - Parameter codePage: of 8-bit text; nil for Latin-1.
    init(
        _ bytes: UnsafeRawBufferPointer,
        row: Int,
        types: [DataType],
        setMeansNull: Bool,
        codePage: CodePage? = nil
    ) {
        self.bytes = bytes
        self.row = row
        self.types = types
        self.setMeansNull = setMeansNull
        self.codePage = codePage
        position = row + Self.maskBytes(types.count)
    }

    /// Moves to the beginning of another row.
    mutating func move(toRow row: Int) {
        self.row = row
        position = row + Self.maskBytes(types.count)
        column = 0
    }

    static func maskBytes(_ columns: Int) -> Int { (columns + 7) / 8 }

    /// Reads a cell that is not null, at the offset of its content.
    static func value(
        _ bytes: UnsafeRawBufferPointer,
        at position: Int,
        _ type: DataType,
        _ codePage: CodePage?
    ) -> DataValue {
        let reader = CellReader(bytes, at: position, type, codePage)
        return reader.value(in: reader.content())
    }

    /// A reader of one cell that is not null.
    private init(_ bytes: UnsafeRawBufferPointer, at position: Int, _ type: DataType, _ codePage: CodePage?) {
        self.bytes = bytes
        self.codePage = codePage
        row = position
        types = [type]
        setMeansNull = false
        self.position = position
    }

    func isNull(_ column: Int) -> Bool {
        precondition(types.indices.contains(column), "no such column")
        return (bytes[row + column >> 3] >> UInt8(column & 7) & 1 == 1) == setMeansNull
    }

    mutating func resume(at column: Int, _ position: Int) {
        self.column = column
        self.position = position
    }

    mutating func skip(to column: Int) {
        precondition(types.indices.contains(column), "no such column")
        while self.column < column {
            if !isNull(self.column) { position = content().upperBound }
            self.column += 1
        }
    }

    /// Returns the range of the next cell's bytes without their count. The cell must not be null.
    func content() -> Range<Int> {
        switch types[column].form {
        case .oneByte: position..<(position + 1)
        case .twoBytes: position..<(position + 2)
        case .fourBytes: position..<(position + 4)
        case .eightBytes: position..<(position + 8)
        case .decimal: position..<(position + 16)
        case .guid: position..<(position + DataRow.guidBytes)
        case .counted, .wide: (position + 4)..<(position + 4 + Int(integer(Int32.self)))
        case nil: position..<position
        }
    }

    /// Reads the next cell and advances past it.
    mutating func value() -> DataValue {
        defer { column += 1 }
        guard !isNull(column) else { return .null }
        let content = content()
        defer { position = content.upperBound }
        return value(in: content)
    }

    private func value(in content: Range<Int>) -> DataValue {
        switch types[column] {
        case .unknown: return .null
        case .boolean: return .boolean(integer(UInt8.self) != 0)
        case .byte: return .integer(Int64(integer(UInt8.self)))
        case .shortInt: return .integer(Int64(integer(Int8.self)))
        case .word: return .integer(Int64(integer(UInt16.self)))
        case .smallInt: return .integer(Int64(integer(Int16.self)))
        case .integer, .autoInc: return .integer(Int64(integer(Int32.self)))
        case .cardinal: return .integer(Int64(integer(UInt32.self)))
        case .largeInt, .largeAutoInc: return .integer(integer(Int64.self))
        case .largeUInt: return .unsigned(integer(UInt64.self))
        case .singleFloat: return .float(Double(Float(bitPattern: integer(UInt32.self))))
        case .float: return .float(Double(bitPattern: integer(UInt64.self)))
        case .dateTime: return .dateTime(days: Double(bitPattern: integer(UInt64.self)))
        case .currency: return .currency(scaled: integer(Int64.self))
        case .decimal: return decimal.map { .decimal(DataDecimal($0)) } ?? .null
        case .guid: return .text(TextDecoder.latin1(raw(content)))
        case .string, .memo, .fixedChar:
            let bytes = raw(content)
            return codePage?.value(bytes) ?? .text(TextDecoder.latin1(bytes))
        case .wideString, .wideMemo, .fixedWideChar, .xml: return .text(TextDecoder.utf16(raw(content)))
        case .blob, .cursor: return .bytes(ByteBuffer(bytes: bytes[content]))
        }
    }

    private func raw(_ content: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[content])
    }

    private func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
        _: Integer.Type,
        after offset: Int = 0
    ) -> Integer {
        Integer(littleEndian: bytes.loadUnaligned(fromByteOffset: position + offset, as: Integer.self))
    }

    private var decimal: Decimal96? {
        let flags = integer(UInt32.self, after: 12)
        return Decimal96(
            high: integer(UInt32.self, after: 8),
            low: integer(UInt64.self),
            scale: UInt8(truncatingIfNeeded: flags >> 16),
            isNegative: flags >> 31 == 1
        )
    }
}

/// The encoded size of a cell: all that is needed to skip it.
enum CellForm: UInt8 {
    case oneByte
    case twoBytes
    case fourBytes
    case eightBytes
    /// An Int32 count, followed by that many bytes.
    case counted
    /// The same, but the bytes are UTF-16, so the count is even.
    case wide
    /// 36 ASCII characters.
    case guid
    /// 16 bytes. Not every value is a valid number.
    case decimal
}

extension DataType {
    /// Whether the cells are UTF-16.
    package var isWide: Bool { form == .wide }

    /// Nil for `unknown`, the only type without cells.
    var form: CellForm? {
        switch self {
        case .unknown: nil
        case .boolean, .byte, .shortInt: .oneByte
        case .word, .smallInt: .twoBytes
        case .integer, .autoInc, .cardinal, .singleFloat: .fourBytes
        case .float, .dateTime, .currency, .largeInt, .largeAutoInc, .largeUInt: .eightBytes
        case .string, .memo, .fixedChar, .blob, .cursor: .counted
        case .wideString, .wideMemo, .fixedWideChar, .xml: .wide
        case .guid: .guid
        case .decimal: .decimal
        }
    }
}
