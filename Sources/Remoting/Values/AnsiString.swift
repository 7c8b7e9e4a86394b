// SPDX-License-Identifier: Apache-2.0

/// An 8-bit string in the code page of whoever sent it, which the wire does not name.
package struct AnsiString: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Read as UTF-8 if that fits, else as Latin-1, which always does.
    package var text: String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }
}
