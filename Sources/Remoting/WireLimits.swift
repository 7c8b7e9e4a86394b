// SPDX-License-Identifier: Apache-2.0

/// What a message may cost us at most; each number bounds bytes or elements that a peer chooses.
package struct WireLimits: Sendable, Hashable {
    /// Bytes of a message as it comes, and of a body after inflating.
    package var message: Int
    /// Bytes of a compressed body before inflating.
    package var compressed: Int
    /// Nested structs, arrays and Variant arrays.
    package var depth: Int
    /// Array elements and struct fields of one message together: an element takes one byte on the wire but far more here.
    package var elements: Int

    package init(
        message: Int = 64 << 20,
        compressed: Int = 16 << 20,
        depth: Int = 32,
        elements: Int = 1 << 20
    ) {
        self.message = message
        self.compressed = compressed
        self.depth = depth
        self.elements = elements
    }

    /// 64 MiB, compressed 16 MiB, depth 32, 1,048,576 elements.
    package static let standard = WireLimits()
}
