// SPDX-License-Identifier: Apache-2.0

/// A DNS-SD service instance, which a server announces (RFC 6763, section 4.1).
///
/// Two instances are equal if their bytes are. Swift's `String` would also equate the composed and the decomposed
/// form of a letter, and all names that are not UTF-8 would look alike, so that one announcement could be taken for
/// another.
///
/// The type takes one word of memory, because it is part of every key of a sighting, and there are tables with
/// thousands of keys.
package struct ServiceInstance: Sendable, Codable {
    private struct Parts: Sendable, Hashable, Codable {
        let nameBytes: [UInt8]
        let type: String
        let domain: String
    }

    private let parts: Shared<Parts>

    /// The announced instance name: at most 63 bytes of any value.
    package var nameBytes: [UInt8] { parts.value.nameBytes }
    /// The service type, for example `_Relativity_DataService_rosdk._tcp`.
    package var type: String { parts.value.type }
    /// The domain, for example `local`.
    package var domain: String { parts.value.domain }

    /// The name as text, with U+FFFD for bytes outside UTF-8. It is untrusted text, and does not identify the
    /// instance.
    package var name: String { String(decoding: nameBytes, as: UTF8.self) }

    /// An instance whose name may have any bytes.
    package init(nameBytes: [UInt8], type: String, domain: String) {
        parts = Shared(Parts(nameBytes: nameBytes, type: type, domain: domain))
    }

    /// An instance whose name is text.
    package init(name: String, type: String, domain: String) {
        self.init(nameBytes: Array(name.utf8), type: type, domain: domain)
    }
}

extension ServiceInstance: Hashable {
    /// Compares the bytes.
    package static func == (one: Self, other: Self) -> Bool {
        one.parts.isCopy(of: other.parts)
            || one.nameBytes == other.nameBytes
                && one.type.hasSameBytes(as: other.type) && one.domain.hasSameBytes(as: other.domain)
    }

    /// Hashes the name only.
    package func hash(into hasher: inout Hasher) {
        // Nearly all instances have the same type and domain, so these would not improve the hash.
        nameBytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
