// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import Platform

/// The 16 bytes that a client chooses to identify its session on the server. They are a bearer secret: a caller needs
/// nothing else to use the session.
///
/// The bytes are in wire order, which is the Microsoft order of the text form (docs/wire.md, "Header"). Descriptions
/// of a value are redacted; only `revealedText()` returns the text form.
package struct ClientID: Hashable, Sendable {
    /// The size on the wire.
    package static let byteCount = 16

    let high: UInt64
    let low: UInt64

    /// Generates a new ID with the kernel's generator.
    package init() {
        var bytes: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &bytes) { buffer in
            precondition((try? SystemRandom().fill(buffer)) != nil, "a Linux kernel gives 16 random bytes")
        }
        (high, low) = bytes
    }

    /// The bytes in wire order; nil unless there are 16.
    package init?(wireBytes: some Collection<UInt8>) {
        guard wireBytes.count == Self.byteCount else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: wireBytes) }
        (high, low) = words
    }

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Calls the closure with the 16 bytes in wire order. The pointer is valid only during the call.
    package func withWireBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(of: (high, low), body)
    }
}

extension ByteBuffer {
    /// Appends the 16 bytes in wire order.
    @discardableResult
    package mutating func writeClientID(_ id: ClientID) -> Int {
        id.withWireBytes { writeBytes($0) }
    }

    mutating func readClientID() -> ClientID? {
        guard let high = readInteger(endianness: .host, as: UInt64.self),
            let low = readInteger(endianness: .host, as: UInt64.self)
        else { return nil }
        return ClientID(high: high, low: low)
    }
}

extension ClientID {
    /// Parses the text form, with or without braces and in either case.
    package init?(text: String) {
        guard let guid = GUID(text) else { return nil }
        self = guid.withWireBytes { bytes in
            ClientID(
                high: bytes.loadUnaligned(as: UInt64.self),
                low: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
    }

    /// The secret in its text form `{01234567-89ab-cdef-0123-456789abcdef}`. Use it only for messages to the server.
    package func revealedText() -> String {
        withWireBytes { GUID(wireBytes: $0).text }
    }
}

extension ClientID: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Redacted, because the value is a secret.
    package var description: String { "<redacted>" }
    /// Redacted, because the value is a secret.
    package var debugDescription: String { "<redacted>" }
    /// Empty, because the value is a secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
