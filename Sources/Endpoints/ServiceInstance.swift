// SPDX-License-Identifier: Apache-2.0

/// A DNS-SD service instance: what a server announces itself as (RFC 6763, section 4.1).
///
/// Two instances are the same when their bytes are: Swift's `String` would also equate the composed and the decomposed
/// form of a letter, and let one announcement speak for another.
package struct ServiceInstance: Sendable, Codable {
    /// The instance name as announced, at most 63 bytes, any byte: foreign text.
    package var name: String
    /// For example `_Relativity_DataService_rosdk._tcp`.
    package var type: String
    /// For example `local`.
    package var domain: String

    package init(name: String, type: String, domain: String) {
        self.name = name
        self.type = type
        self.domain = domain
    }
}

extension ServiceInstance: Hashable {
    package static func == (one: Self, other: Self) -> Bool {
        one.name.utf8.elementsEqual(other.name.utf8)
            && one.type.utf8.elementsEqual(other.type.utf8)
            && one.domain.utf8.elementsEqual(other.domain.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for text in [name, type, domain] {
            for byte in text.utf8 { hasher.combine(byte) }
            hasher.combine(UInt8(0xFF))
        }
    }
}
