// SPDX-License-Identifier: Apache-2.0

/// Limits on the resources that one message may use. Each limits a number of bytes or elements that the peer chooses.
package struct WireLimits: Sendable, Hashable {
    /// Bytes of a message as received, and of a body after inflating.
    package var message: Int
    /// Bytes of a compressed body before inflating.
    package var compressed: Int
    /// Nesting depth of structs, arrays and Variant arrays.
    package var depth: Int
    /// Array elements and struct fields of one message together: an element takes one byte on the wire but far more
    /// here.
    package var elements: Int

    /// The defaults are those of `standard`.
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

    /// Bytes of an exception, as received and after inflating: exceptions are always held in memory as a whole.
    package static let exceptionBytes = 256 << 10
    /// Bytes of the name of an exception's class.
    package static let exceptionClass = 256
    /// Bytes of an exception's stack trace that are read; the rest is ignored.
    package static let stackTrace = 16 << 10
    /// Bytes of an exception's text.
    package static let exceptionText = 64 << 10

    /// Limits for the reply to a login: a result of a few bytes, or an exception.
    package static let login = WireLimits(message: exceptionBytes, compressed: 64 << 10, elements: 4_096)

    /// Limits for the reply to a poll: it is held in memory as a whole, and its events are re-encoded.
    package static let poll = WireLimits(message: 4 << 20, compressed: 4 << 20)

    /// 64 MiB, compressed 16 MiB, depth 32, 1,048,576 elements.
    package static let standard = WireLimits()
}
