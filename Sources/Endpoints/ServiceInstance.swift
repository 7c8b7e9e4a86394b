// SPDX-License-Identifier: Apache-2.0

/// A DNS-SD service instance: what a server announces itself as (RFC 6763, section 4.1).
///
/// Two instances are the same when their bytes are. Swift's `String` would also equate the composed and the decomposed
/// form of a letter, and all names whose bytes are no UTF-8 would look alike: one announcement could speak for another.
///
/// It takes one word, because it is part of every key of a sighting, and there are tables of thousands of these.
package struct ServiceInstance: Sendable, Codable {
    private struct Parts: Sendable, Hashable, Codable {
        let nameBytes: [UInt8]
        let type: String
        let domain: String
    }

    private let parts: Shared<Parts>

    /// The instance name as announced, at most 63 bytes, any byte.
    package var nameBytes: [UInt8] { parts.value.nameBytes }
    /// For example `_Relativity_DataService_rosdk._tcp`.
    package var type: String { parts.value.type }
    /// For example `local`.
    package var domain: String { parts.value.domain }

    /// The name as text, U+FFFD for bytes outside UTF-8: foreign text, and not what the instance is known by.
    package var name: String { String(decoding: nameBytes, as: UTF8.self) }

    package init(nameBytes: [UInt8], type: String, domain: String) {
        parts = Shared(Parts(nameBytes: nameBytes, type: type, domain: domain))
    }

    package init(name: String, type: String, domain: String) {
        self.init(nameBytes: Array(name.utf8), type: type, domain: domain)
    }
}

extension ServiceInstance: Hashable {
    package static func == (one: Self, other: Self) -> Bool {
        one.parts.isCopy(of: other.parts)
            || one.nameBytes == other.nameBytes
                && one.type.hasSameBytes(as: other.type) && one.domain.hasSameBytes(as: other.domain)
    }

    package func hash(into hasher: inout Hasher) {
        // Type and domain are the same for nearly all: they would tell nothing apart.
        nameBytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
