// SPDX-License-Identifier: Apache-2.0

import Endpoints

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
        one.text.hasSameBytes(as: other.text)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
