// SPDX-License-Identifier: Apache-2.0

/// Finds the ends of rows and validates their cells.
struct RowSkipper {
    /// Where skipping stopped. Offsets are counted from the first byte of the buffer.
    struct Place {
        /// The start of the first row that is not complete.
        var row: Int
        /// The next cell of that row, and its offset. A row that was not begun has the offset of its mask.
        fileprivate var column = 0
        fileprivate var position: Int
        /// The number of bytes from the first byte of the buffer that must be there to continue.
        fileprivate(set) var needed = 0

        init(_ position: Int) {
            row = position
            self.position = position
        }

        /// The same place after bytes before it were removed from the buffer.
        mutating func move(by count: Int) {
            row -= count
            position -= count
            needed -= count
        }
    }

    private let forms: [CellForm]
    private let maskBytes: Int
    private let setMeansNull: Bool
    private let cellLimit: Int

    init(_ forms: [CellForm], setMeansNull: Bool, cellLimit: Int) {
        self.forms = forms
        maskBytes = CellReader.maskBytes(forms.count)
        self.setMeansNull = setMeansNull
        self.cellLimit = cellLimit
    }

    /// Skips at most `count` rows from `place` on.
    ///
    /// - Parameters:
    ///   - origin: the position of the first byte in the stream.
    ///   - end: the end of the rows in the stream. It may be after the bytes.
    ///   - begin: called with the offset of each complete row.
    /// - Returns: the number of complete rows, fewer than `count` only if the bytes end within a row.
    func skip(
        _ count: Int,
        in bytes: UnsafeRawBufferPointer,
        at origin: Int,
        end: Int,
        _ place: inout Place,
        begin: (_ offset: Int) -> Void
    ) throws(TableError) -> Int {
        var cells = CellSkipper(bytes, at: origin, end: end, cellLimit: cellLimit, place)
        defer { place = cells.place }
        for row in 0..<count {
            let start = cells.place.row
            guard try skipRow(&cells) else { return row }
            begin(start)
        }
        return count
    }

    @inline(__always)
    private func skipRow(_ cells: inout CellSkipper) throws(TableError) -> Bool {
        if cells.place.position == cells.place.row { guard try cells.skipBytes(maskBytes) else { return false } }
        while cells.place.column < forms.count {
            let column = cells.place.column
            if cells.isSet(column) != setMeansNull {
                guard try cells.skipCell(forms[column]) else { return false }
            }
            cells.place.column = column + 1
        }
        cells.place.row = cells.place.position
        cells.place.column = 0
        return true
    }
}

/// Skips cells while the bytes are accessed. A step that needs more bytes than there are returns false and can be
/// repeated.
private struct CellSkipper {
    private let bytes: UnsafeRawBufferPointer
    private let origin: Int
    /// The number of bytes from the first one to the end of the rows.
    private let end: Int
    private let cellLimit: Int
    var place: RowSkipper.Place

    init(_ bytes: UnsafeRawBufferPointer, at origin: Int, end: Int, cellLimit: Int, _ place: RowSkipper.Place) {
        self.end = end - origin
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(self.end))
        self.origin = origin
        self.cellLimit = cellLimit
        self.place = place
    }

    func isSet(_ column: Int) -> Bool { bytes[place.row + column >> 3] >> UInt8(column & 7) & 1 == 1 }

    mutating func skipCell(_ form: CellForm) throws(TableError) -> Bool {
        let start = place.position
        switch form {
        case .oneByte: return try skipBytes(1)
        case .twoBytes: return try skipBytes(2)
        case .fourBytes: return try skipBytes(4)
        case .eightBytes: return try skipBytes(8)
        case .counted: return try skipCounted()
        case .wide:
            guard try skipCounted() else { return false }
            guard (place.position - start).isMultiple(of: 2) else {
                throw malformed("odd number of bytes of UTF-16", start)
            }
        case .guid:
            guard try skipBytes(DataRow.guidBytes) else { return false }
            guard bytes[start..<place.position].allSatisfy({ $0 < 0x80 }) else {
                throw malformed("a Guid that is not ASCII", start)
            }
        case .decimal:
            guard try skipBytes(16) else { return false }
            guard bytes[start + 14] <= 28 else { throw malformed("decimal scale above 28", start) }
        }
        return true
    }

    private mutating func skipCounted() throws(TableError) -> Bool {
        let start = place.position
        guard try skipBytes(4) else { return false }
        let count = Int(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int32.self)))
        guard count >= 0 else { throw malformed("negative length of a cell", start) }
        guard count <= cellLimit else {
            throw .tooMany("bytes of a cell", limit: cellLimit, offset: origin + start)
        }
        if try skipBytes(count) { return true }
        place.position = start
        return false
    }

    mutating func skipBytes(_ count: Int) throws(TableError) -> Bool {
        let next = place.position + count
        guard next <= bytes.count else {
            guard next <= end else { throw malformed("stream cut short", place.position) }
            place.needed = next
            return false
        }
        place.position = next
        return true
    }

    private func malformed(_ reason: String, _ position: Int) -> TableError {
        .malformed(reason: reason, offset: origin + position)
    }
}
