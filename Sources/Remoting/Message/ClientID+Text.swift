// SPDX-License-Identifier: Apache-2.0

extension ClientID {
    /// Reads the text form, with or without braces and in either case.
    package init?(text: String) {
        guard let guid = GUID(text) else { return nil }
        self = guid.withWireBytes { bytes in
            ClientID(
                high: bytes.loadUnaligned(as: UInt64.self),
                low: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
    }

    /// The text form `{01234567-89ab-cdef-0123-456789abcdef}` of a secret. Only the wire may see it.
    package func revealedText() -> String {
        withWireBytes { GUID(wireBytes: $0).text }
    }
}

extension ClientID: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
