// SPDX-License-Identifier: Apache-2.0

internal import Platform

/// Texts that are searched without case. They are one block of bytes, so that 100,000 of them are searched in milliseconds.
struct SearchTexts: Sendable {
    /// Divides the texts of an item. It occurs in no text, because it is not UTF-8.
    private static let divider: UInt8 = 0xFF

    private var bytes: [UInt8] = []
    /// The end of each item's texts.
    private var ends: [Int] = []

    /// Adds an item with two texts.
    mutating func append(_ first: String, _ second: String) {
        append(first)
        bytes.append(Self.divider)
        append(second)
        ends.append(bytes.count)
    }

    private mutating func append(_ text: String) {
        var text = text
        let isASCII = text.withUTF8 { utf8 in
            guard utf8.reduce(0, |) < 0x80 else { return false }
            let start = bytes.count
            bytes.append(contentsOf: utf8)
            for index in start..<bytes.count where (0x41...0x5A).contains(bytes[index]) { bytes[index] |= 0x20 }
            return true
        }
        if !isASCII { bytes.append(contentsOf: text.lowercased().utf8) }
    }

    /// Returns the items that contain a text, in the order of `candidates`.
    func items(containing text: String, of candidates: [Int]) -> [Int] {
        let wanted = Array(text.lowercased().utf8)
        guard !wanted.isEmpty else { return candidates }
        return bytes.withUnsafeBytes { bytes in
            wanted.withUnsafeBytes { wanted in
                candidates.filter { item in
                    let text = UnsafeRawBufferPointer(rebasing: bytes[start(of: item)..<ends[item]])
                    return ByteSearch.contains(text, wanted)
                }
            }
        }
    }

    /// Returns the place in `items` of the first one whose first text begins with a text; nil if there is none.
    func firstPlace(beginningWith text: String, of items: [Int]) -> Int? {
        let wanted = Array(text.lowercased().utf8)
        return items.firstIndex { item in bytes[start(of: item)..<ends[item]].starts(with: wanted) }
    }

    private func start(of item: Int) -> Int { item > 0 ? ends[item - 1] : 0 }
}
