// SPDX-License-Identifier: Apache-2.0

/// The permanent ID of an endpoint. It is not an address: a server that moves keeps its ID.
package struct EndpointID: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Lower-case ASCII letters, digits and `-`, 1 to 64 of them.
    package let text: String

    /// - Returns: nil if the text has other characters or another length.
    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-")
        }
        guard isPlain, (1...64).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// The ID itself.
    package var description: String { text }

    /// Hashes the bytes, because `String` would first normalise the text.
    package func hash(into hasher: inout Hasher) {
        text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
