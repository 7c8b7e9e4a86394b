// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Remoting

/// The values of one column of an Arrow batch.
struct ArrowColumn {
    /// The reason why a cell has no value of the column's type.
    enum Misfit: Error {
        /// The number has more digits.
        case digits
        /// The number of days is no certain time.
        case time
    }

    private static let initialBytes = 1 << 10
    /// 1, 10, 100 and so on.
    private static let powers: [UInt128] = (0..<38).reduce(into: [1]) { powers, _ in
        powers.append(powers[powers.count - 1] * 10)
    }

    let type: ArrowType
    private let source: DataType
    private var values: TextBuffer
    /// The end of each value, after a zero. Empty if the type has none.
    private var offsets: TextBuffer
    /// A bit for each value, which is 0 for NULL.
    private var validity = TextBuffer(nil, capacity: Self.initialBytes)
    private(set) var count = 0
    private(set) var nullCount = 0

    /// The owner calls `deallocate`.
    init(_ source: DataType, _ type: ArrowType) {
        self.source = source
        self.type = type
        values = TextBuffer(nil, capacity: Self.initialBytes)
        offsets = TextBuffer(nil, capacity: type.hasOffsets ? Self.initialBytes : 1)
        if type.hasOffsets { offsets.append(littleEndian: Int64(0)) }
    }

    func deallocate() {
        validity.deallocate()
        values.deallocate()
        offsets.deallocate()
    }

    var byteCount: Int { values.count + offsets.count }

    mutating func removeAll() {
        values.removeAll()
        offsets.removeAll()
        if type.hasOffsets { offsets.append(littleEndian: Int64(0)) }
        validity.removeAll()
        (count, nullCount) = (0, 0)
    }

    /// Lends the buffers, in their order in a batch: the validity, which is empty if there is no NULL, the offsets if the
    /// type has them, and the values.
    func withBuffers(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        try validity.withBytes { try body(nullCount > 0 ? $0 : UnsafeRawBufferPointer(start: nil, count: 0)) }
        if type.hasOffsets { try offsets.withBytes(body) }
        try values.withBytes(body)
    }

    /// Appends a cell.
    @inline(__always)
    mutating func append(
        _ bytes: UnsafeRawBufferPointer,
        _ place: CellPlace,
        _ page: CodePage,
        _ scratch: inout TextBuffer
    ) throws(Misfit) {
        let bit = UInt8(1) << UInt8(count & 7)
        if bit == 1 { validity.append(0 as UInt8) }
        if place.isNull {
            nullCount += 1
            appendNull(bit)
        } else {
            validity.setLast(bit)
            try append(value: bytes, place, page, bit, &scratch)
        }
        if type.hasOffsets { offsets.append(littleEndian: Int64(values.count)) }
        count += 1
    }

    private mutating func appendNull(_ bit: UInt8) {
        switch type {
        case .boolean: if bit == 1 { values.append(0 as UInt8) }
        case .integer(let bits, _): values.append(zeros: Int(bits / 8))
        case .float(let isDouble): values.append(zeros: isDouble ? 8 : 4)
        case .timestamp: values.append(zeros: 8)
        case .decimal: values.append(zeros: 16)
        case .text, .binary: break
        }
    }

    @inline(__always)
    private mutating func append(
        value bytes: UnsafeRawBufferPointer,
        _ place: CellPlace,
        _ page: CodePage,
        _ bit: UInt8,
        _ scratch: inout TextBuffer
    ) throws(Misfit) {
        switch type {
        case .boolean:
            if bit == 1 { values.append(0 as UInt8) }
            if CellText.load(bytes, place, UInt8.self) != 0 { values.setLast(bit) }
        // A cell has the same form.
        case .integer(let bits, _):
            switch bits {
            case 8: values.append(CellText.load(bytes, place, UInt8.self))
            case 16: values.append(littleEndian: CellText.load(bytes, place, UInt16.self))
            case 32: values.append(littleEndian: CellText.load(bytes, place, UInt32.self))
            default: values.append(littleEndian: CellText.load(bytes, place, UInt64.self))
            }
        case .float(isDouble: false): values.append(littleEndian: CellText.load(bytes, place, UInt32.self))
        case .float(isDouble: true):
            let number =
                source == .float
                ? CellText.double(bytes, place) : CellText.number(bytes, place, source, &scratch)
            values.append(littleEndian: number.bitPattern)
        case .timestamp:
            guard let time = DateTime(days: CellText.double(bytes, place)).unixMilliseconds else { throw .time }
            values.append(littleEndian: time)
        case .decimal(let precision, let scale):
            if source == .currency {
                values.append(littleEndian: Int128(CellText.load(bytes, place, Int64.self)))
            } else {
                let number = try Self.scaled(CellText.decimal(bytes, place), Int(precision), Int(scale))
                values.append(littleEndian: number)
            }
        case .text: CellText.append(any: bytes, place, source, page, to: &values)
        case .binary: values.append(CellText.content(bytes, place))
        }
    }

    /// Returns a Decimal with so many decimals.
    private static func scaled(
        _ number: (magnitude: UInt128, scale: Int, isNegative: Bool),
        _ precision: Int,
        _ scale: Int
    ) throws(Misfit) -> Int128 {
        var magnitude = number.magnitude
        let power = powers[abs(scale - number.scale)]
        if scale >= number.scale {
            let product = magnitude.multipliedReportingOverflow(by: power)
            guard !product.overflow else { throw .digits }
            magnitude = product.partialValue
        } else {
            let (quotient, rest) = magnitude.quotientAndRemainder(dividingBy: power)
            guard rest == 0 else { throw .digits }
            magnitude = quotient
        }
        guard magnitude < powers[precision] else { throw .digits }
        return number.isNegative ? -Int128(magnitude) : Int128(magnitude)
    }
}

// Values as bytes.
extension TextBuffer {
    @inline(__always)
    fileprivate mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(littleEndian value: Number) {
        reserve(MemoryLayout<Number>.size)
        appendReserved {
            UnsafeMutableRawPointer($0).storeBytes(of: value.littleEndian, as: Number.self)
            return MemoryLayout<Number>.size
        }
    }

    /// Appends up to 16 zeros.
    fileprivate mutating func append(zeros count: Int) {
        reserve(count)
        appendReserved {
            $0.update(repeating: 0, count: count)
            return count
        }
    }
}
