// SPDX-License-Identifier: Apache-2.0

/// An 8-bit text with a byte that has no character in its code page. It is shown, compared by its bytes, and written as
/// it is, but never made of text.
public final class UnreadableText: Hashable, Sendable {
    /// The bytes of the cell.
    public let bytes: [UInt8]
    /// The text to show, with U+FFFD for each byte without a character.
    public let text: String
    /// The first byte without a character.
    public let byte: UInt8
    /// The code page.
    public let codePage: CodePage

    init(_ bytes: UnsafeRawBufferPointer, _ text: String, _ byte: UInt8, _ codePage: CodePage) {
        self.bytes = Array(bytes)
        self.text = text
        self.byte = byte
        self.codePage = codePage
    }

    /// Whether the bytes are the same.
    public static func == (left: UnreadableText, right: UnreadableText) -> Bool { left.bytes == right.bytes }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
