// SPDX-License-Identifier: Apache-2.0

/// A key that is compared and hashed by its bytes. A `String` is compared in its canonical form: the time to make it grows
/// with the square of the number of combining marks in a row, and input of a peer may have any number of them.
struct JSONKey: Hashable {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: JSONKey, right: JSONKey) -> Bool { left.text.hasSameBytes(as: right.text) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Whether both texts have the same bytes as UTF-8.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension StringProtocol {
    /// Whether the text has more than `limit` combining marks in a row.
    func hasMarks(moreThan limit: Int) -> Bool {
        var marks = 0
        for scalar in unicodeScalars {
            marks = Self.isMark(scalar) ? marks + 1 : 0
            if marks > limit { return true }
        }
        return false
    }

    /// Whether the canonical form moves a character after or before others.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x300: false
        // These three are no marks, but consist of marks in the canonical form.
        case 0xF73, 0xF75, 0xF81: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}
