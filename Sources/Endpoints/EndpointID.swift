// SPDX-License-Identifier: Apache-2.0

/// Names one endpoint for good. It is no address: a server keeps its id when it moves.
package struct EndpointID: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Lower-case ASCII letters, digits and `-`, 1 to 64 of them.
    package let text: String

    /// - Returns: nil for text outside the permitted letters or length.
    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-")
        }
        guard isPlain, (1...64).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    package var description: String { text }

    /// A `String` would first look for letters that can be composed.
    package func hash(into hasher: inout Hasher) {
        text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
