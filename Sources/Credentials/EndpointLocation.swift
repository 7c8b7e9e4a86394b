// SPDX-License-Identifier: Apache-2.0

/// The name and URL that an endpoint had when its identity was verified. Another machine needs them to add the
/// endpoint again.
package struct EndpointLocation: Sendable, Hashable {
    /// The name that the user gave, or the announced name: untrusted text of at most 4096 bytes.
    package let name: String
    /// The URL as `ServerURL` writes it, at most 4096 bytes. A reader must parse it again.
    package let url: String

    /// Makes a location from its parts.
    package init(name: String, url: String) {
        self.name = name
        self.url = url
    }

    /// Whether name and URL are within the limits of a vault.
    var isStorable: Bool {
        [name, url].allSatisfy { $0.utf8.count <= VaultLimits.stringBytes }
    }
}
