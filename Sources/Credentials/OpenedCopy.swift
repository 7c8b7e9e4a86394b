// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// A vault from elsewhere, opened for its logins.
package struct OpenedCopy: Sendable {
    let vault: OpenVault

    init(_ vault: OpenVault) {
        self.vault = vault
    }

    /// Where the endpoints of its logins were, as far as it says.
    package var locations: [EndpointID: EndpointLocation] {
        var locations: [EndpointID: EndpointLocation] = [:]
        for pinned in vault.payload.pins { locations[pinned.endpoint] = pinned.location }
        return locations
    }
}
