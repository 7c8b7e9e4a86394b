// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// One difference between two states of the registry. The fold of all changes over an empty list is the list.
package enum RegistryChange: Sendable, Hashable {
    case added(Endpoint)
    case changed(Endpoint)
    case removed(Endpoint)

    package var endpoint: Endpoint {
        switch self {
        case .added(let endpoint), .changed(let endpoint), .removed(let endpoint): endpoint
        }
    }
}
