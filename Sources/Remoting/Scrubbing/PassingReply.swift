// SPDX-License-Identifier: Apache-2.0

/// A reply as a tool may see it: a whole message, or the beginning of one that goes on.
package struct PassingReply: Sendable {
    /// Its body is where `rest` begins.
    package let start: BinMessage
    package let rest: ScrubbedBody?
    /// Of the message that the tool gets; nil while that is not known.
    package let byteCount: Int?

    /// Bytes of it that are in memory at a time, at most.
    package var heldBytes: Int { rest == nil ? start.byteCount : 512 << 10 }

    package init(_ whole: BinMessage) {
        start = whole
        rest = nil
        byteCount = whole.byteCount
    }

    init(_ start: BinMessage, _ rest: ScrubbedBody, byteCount: Int?) {
        self.start = start
        self.rest = rest
        self.byteCount = byteCount
    }
}
