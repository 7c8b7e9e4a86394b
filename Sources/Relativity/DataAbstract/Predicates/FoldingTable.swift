// SPDX-License-Identifier: Apache-2.0

/// Maps each Unicode scalar to the text by which it is compared, from the data in `FoldingData`.
///
/// A scalar is looked up in a page of 256. Pages without mappings share page 0, which is empty.
struct FoldingTable: Sendable {
    private static let pageBits: UInt32 = 8
    private static let pageCount = 0x11_0000 >> 8
    /// Marks an entry that is a position and a length in `texts`; other entries are scalars.
    private static let textMark: UInt32 = 1 << 31
    private static let lengthBits: UInt32 = 3

    private var pages = [UInt16](repeating: 0, count: Self.pageCount)
    private var entries: [UInt32] = []
    private var texts: [UInt32] = []
    /// The length of the longest image.
    private(set) var longestImage = 1
    /// Whether ASCII letters become small ones. No other ASCII character has an image.
    private(set) var lowersASCII = false

    /// `[c]`.
    static let ignoringCase = FoldingTable(FoldingData.caseFolding)
    /// `[d]`.
    static let ignoringDiacritics = FoldingTable(FoldingData.diacritics)
    /// `[cd]`: diacritics are removed before and after the case.
    static let ignoringBoth = FoldingTable(ignoringDiacritics, ignoringCase, ignoringDiacritics)

    /// Returns the table of a folding; nil if nothing is ignored.
    static func table(for folding: PredicateFolding) -> FoldingTable? {
        switch (folding.contains(.ignoresCase), folding.contains(.ignoresDiacritics)) {
        case (true, true): ignoringBoth
        case (true, false): ignoringCase
        case (false, true): ignoringDiacritics
        case (false, false): nil
        }
    }

    /// Decodes generated data (scripts/folding-table.py).
    private init(_ data: StaticString) {
        for entry in "\(data)".split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let sides = entry.split(separator: "=", omittingEmptySubsequences: false)
            let image = sides[1].split(separator: ".").compactMap { UInt32($0, radix: 16) }
            let range = sides[0].split(separator: "/")
            let ends = range[0].split(separator: "-").compactMap { UInt32($0, radix: 16) }
            let step = range.count == 2 ? 2 : 1
            for scalar in stride(from: ends[0], through: ends[ends.count - 1], by: step) {
                map(scalar, to: ends.count == 2 && !image.isEmpty ? [image[0] + scalar - ends[0]] : image)
            }
        }
    }

    /// Applies tables one after the other.
    private init(_ tables: FoldingTable...) {
        for page in 0..<Self.pageCount where tables.contains(where: { $0.pages[page] != 0 }) {
            for scalar in UInt32(page) << Self.pageBits..<UInt32(page + 1) << Self.pageBits {
                let image = tables.reduce([scalar]) { text, table in table.folded(text) }
                if image != [scalar] { map(scalar, to: image) }
            }
        }
    }

    private mutating func map(_ scalar: UInt32, to image: [UInt32]) {
        let page = Int(scalar >> Self.pageBits)
        if pages[page] == 0 {
            pages[page] = UInt16(entries.count >> Int(Self.pageBits) + 1)
            let first = UInt32(page) << Self.pageBits
            entries += first..<(first + 1 << Self.pageBits)
        }
        let index = Int(pages[page] - 1) << Int(Self.pageBits) | Int(scalar & 0xFF)
        if image.count == 1 {
            entries[index] = image[0]
            if scalar == 0x41 { lowersASCII = true }
        } else {
            longestImage = max(longestImage, image.count)
            entries[index] = Self.textMark | UInt32(texts.count) << Self.lengthBits | UInt32(image.count)
            texts += image
        }
    }

    /// Writes the image of a scalar, and advances the index past it.
    @inline(__always)
    func write(_ scalar: UInt32, to memory: UnsafeMutableBufferPointer<UInt32>, _ index: inout Int) {
        if scalar < 0x80 {
            memory[index] = lowersASCII && (0x41...0x5A).contains(scalar) ? scalar | 0x20 : scalar
            index += 1
            return
        }
        let page = pages[Int(scalar >> Self.pageBits)]
        let entry = page == 0 ? scalar : entries[Int(page - 1) << Int(Self.pageBits) | Int(scalar & 0xFF)]
        guard entry & Self.textMark != 0 else {
            memory[index] = entry
            index += 1
            return
        }
        let start = Int(entry & ~Self.textMark) >> Int(Self.lengthBits)
        for position in start..<(start + Int(entry & 7)) {
            memory[index] = texts[position]
            index += 1
        }
    }

    func folded(_ text: [UInt32]) -> [UInt32] {
        [UInt32](unsafeUninitializedCapacity: text.count * longestImage) { memory, count in
            for scalar in text { write(scalar, to: memory, &count) }
        }
    }
}
