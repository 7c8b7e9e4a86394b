// SPDX-License-Identifier: Apache-2.0

/// A DNS-SD service instance: what a server announces itself as (RFC 6763, section 4.1).
package struct ServiceInstance: Sendable, Hashable, Codable {
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
