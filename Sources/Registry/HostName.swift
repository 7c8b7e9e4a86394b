// SPDX-License-Identifier: Apache-2.0

/// A host name as DNS compares names: bytes, but ASCII letters without case, and without the trailing dot.
///
/// Swift's `String` alone would also equate the composed and the decomposed form of a letter.
struct HostName: Sendable {
    let text: String

    init(_ host: String) {
        text = host.hasSuffix(".") ? ASCIICase.lowered(String(host.dropLast())) : ASCIICase.lowered(host)
    }
}

extension HostName: Hashable {
    static func == (one: Self, other: Self) -> Bool {
        one.text.utf8.count == other.text.utf8.count && one.text.utf8.elementsEqual(other.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
