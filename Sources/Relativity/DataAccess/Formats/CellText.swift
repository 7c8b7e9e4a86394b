// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// Formats the content of cells that are not NULL.
enum CellText {
    /// Appends the text of a number, a time, a Boolean or a blob. Nothing else is appended.
    ///
    /// - Returns: false if the type is text.
    @inline(__always)
    static func append(
        _ bytes: UnsafeRawBufferPointer,
        _ place: CellPlace,
        _ type: DataType,
        to text: inout TextBuffer
    ) -> Bool {
        switch type {
        case .boolean: text.append(load(bytes, place, UInt8.self) == 0 ? "false" : "true" as StaticString)
        case .byte: text.append(Int64(load(bytes, place, UInt8.self)))
        case .shortInt: text.append(Int64(load(bytes, place, Int8.self)))
        case .word: text.append(Int64(load(bytes, place, UInt16.self)))
        case .smallInt: text.append(Int64(load(bytes, place, Int16.self)))
        case .integer, .autoInc: text.append(Int64(load(bytes, place, Int32.self)))
        case .cardinal: text.append(Int64(load(bytes, place, UInt32.self)))
        case .largeInt, .largeAutoInc: text.append(load(bytes, place, Int64.self))
        case .largeUInt: text.append(load(bytes, place, UInt64.self))
        case .singleFloat: text.append(Float(bitPattern: load(bytes, place, UInt32.self)))
        case .float: text.append(double(bytes, place))
        case .dateTime: text.append(dateTime: double(bytes, place))
        case .currency: text.append(currency: load(bytes, place, Int64.self))
        case .decimal:
            let (magnitude, scale, isNegative) = decimal(bytes, place)
            text.append(decimal: magnitude, scale: scale, isNegative: isNegative)
        case .blob, .cursor: text.append(base64: content(bytes, place))
        case .unknown, .string, .memo, .fixedChar, .wideString, .wideMemo, .fixedWideChar, .xml, .guid: return false
        }
        return true
    }

    /// Appends the content of a cell of text.
    @inline(__always)
    static func append(
        text bytes: UnsafeRawBufferPointer,
        _ place: CellPlace,
        _ type: DataType,
        _ page: CodePage,
        _ escape: TextEscape,
        to text: inout TextBuffer
    ) {
        switch type {
        case _ where type.isWide: text.append(utf16: content(bytes, place), escape)
        case .guid: text.append(content(bytes, place), .latin1, escape)
        default: text.append(content(bytes, place), page, escape)
        }
    }

    /// Appends the text of any cell, without escapes.
    @inline(__always)
    static func append(
        any bytes: UnsafeRawBufferPointer,
        _ place: CellPlace,
        _ type: DataType,
        _ page: CodePage,
        to text: inout TextBuffer
    ) {
        if !append(bytes, place, type, to: &text) { append(text: bytes, place, type, page, .none, to: &text) }
    }

    /// Returns the content of a cell of text.
    static func string(
        _ bytes: UnsafeRawBufferPointer,
        _ place: CellPlace,
        _ type: DataType,
        _ page: CodePage
    ) -> String {
        var text = TextBuffer(nil, capacity: 256)
        defer { text.deallocate() }
        append(text: bytes, place, type, page, .none, to: &text)
        return text.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a cell is NaN or infinite.
    static func isNotANumber(_ bytes: UnsafeRawBufferPointer, _ place: CellPlace, _ type: DataType) -> Bool {
        switch type {
        case .float: !double(bytes, place).isFinite
        case .singleFloat: !Float(bitPattern: load(bytes, place, UInt32.self)).isFinite
        default: false
        }
    }

    /// Returns the bytes of a cell.
    @inline(__always)
    static func content(_ bytes: UnsafeRawBufferPointer, _ place: CellPlace) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[place.start..<(place.start + place.count)])
    }

    /// Loads a whole number.
    @inline(__always)
    static func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer,
        _ place: CellPlace,
        _: Number.Type,
        after offset: Int = 0
    ) -> Number {
        Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place.start + offset, as: Number.self))
    }

    /// Loads a Float or a DateTime.
    @inline(__always)
    static func double(_ bytes: UnsafeRawBufferPointer, _ place: CellPlace) -> Double {
        Double(bitPattern: load(bytes, place, UInt64.self))
    }

    /// Loads a whole number or a Boolean, as 0 or 1. Not for LargeUInt.
    static func integer(_ bytes: UnsafeRawBufferPointer, _ place: CellPlace, _ type: DataType) -> Int64 {
        CellOrder.counted(bytes, place.start, type) ?? 0
    }

    /// Returns the nearest Double of a number that is not whole, or LargeUInt.
    static func number(
        _ bytes: UnsafeRawBufferPointer,
        _ place: CellPlace,
        _ type: DataType,
        _ scratch: inout TextBuffer
    ) -> Double {
        switch type {
        case .float: return double(bytes, place)
        case .singleFloat: return Double(Float(bitPattern: load(bytes, place, UInt32.self)))
        case .largeUInt: return Double(load(bytes, place, UInt64.self))
        case .currency:
            let scaled = load(bytes, place, Int64.self)
            // A division rounds once if its operands are exact.
            if scaled.magnitude < 1 << 53 { return Double(scaled) / 10_000 }
        default: break
        }
        scratch.removeAll()
        _ = append(bytes, place, type, to: &scratch)
        return scratch.withBytes { Double(String(decoding: $0, as: UTF8.self)) ?? .nan }
    }

    /// Loads a Decimal.
    static func decimal(
        _ bytes: UnsafeRawBufferPointer,
        _ place: CellPlace
    ) -> (magnitude: UInt128, scale: Int, isNegative: Bool) {
        let flags = load(bytes, place, UInt32.self, after: 12)
        let high = UInt128(load(bytes, place, UInt32.self, after: 8))
        return (high << 64 | UInt128(load(bytes, place, UInt64.self)), Int(flags >> 16 & 0xFF), flags >> 31 == 1)
    }
}

extension DataType {
    /// Whether a Double cannot hold every value of the type.
    var exceedsDouble: Bool {
        switch self {
        case .largeInt, .largeAutoInc, .largeUInt, .decimal, .currency: true
        default: false
        }
    }
}
