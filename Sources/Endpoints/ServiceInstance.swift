// SPDX-License-Identifier: Apache-2.0

/// A DNS-SD service instance: what a server announces itself as (RFC 6763, section 4.1).
///
/// Two instances are the same when their bytes are. Swift's `String` would also equate the composed and the decomposed
/// form of a letter, and all names whose bytes are no UTF-8 would look alike: one announcement could speak for another.
package struct ServiceInstance: Sendable, Codable {
    /// The instance name as announced, at most 63 bytes, any byte.
    package var nameBytes: [UInt8]
    /// For example `_Relativity_DataService_rosdk._tcp`.
    package var type: String
    /// For example `local`.
    package var domain: String

    /// The name as text, U+FFFD for bytes outside UTF-8: foreign text, and not what the instance is known by.
    package var name: String { String(decoding: nameBytes, as: UTF8.self) }

    package init(nameBytes: [UInt8], type: String, domain: String) {
        self.nameBytes = nameBytes
        self.type = type
        self.domain = domain
    }

    package init(name: String, type: String, domain: String) {
        self.init(nameBytes: Array(name.utf8), type: type, domain: domain)
    }
}

extension ServiceInstance: Hashable {
    package static func == (one: Self, other: Self) -> Bool {
        one.nameBytes == other.nameBytes
            && one.type.utf8.elementsEqual(other.type.utf8)
            && one.domain.utf8.elementsEqual(other.domain.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(nameBytes)
        for text in [type, domain] {
            for byte in text.utf8 { hasher.combine(byte) }
            hasher.combine(UInt8(0xFF))
        }
    }
}
