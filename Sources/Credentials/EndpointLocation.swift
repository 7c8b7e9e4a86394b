// SPDX-License-Identifier: Apache-2.0

/// Where an endpoint was when its identity was agreed to: what another machine needs to make its entry again.
package struct EndpointLocation: Sendable, Hashable {
    /// What the user calls it, or how it announced itself: foreign text of at most 4096 bytes.
    package let name: String
    /// As `ServerURL` writes it, at most 4096 bytes; whoever reads it parses it anew.
    package let url: String

    package init(name: String, url: String) {
        self.name = name
        self.url = url
    }

    /// What a vault takes.
    var isStorable: Bool {
        [name, url].allSatisfy { $0.utf8.count <= VaultLimits.stringBytes }
    }
}
