// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// A vault file from another place, opened for its logins.
package struct OpenedCopy: Sendable {
    let vault: OpenVault

    init(_ vault: OpenVault) {
        self.vault = vault
    }

    /// The names and URLs of the endpoints of its logins, if the file contains them.
    package var locations: [EndpointID: EndpointLocation] {
        var locations: [EndpointID: EndpointLocation] = [:]
        for pinned in vault.payload.pins { locations[pinned.endpoint] = pinned.location }
        return locations
    }
}
