// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// What survives a restart of one endpoint.
package struct SavedEndpoint: Sendable, Hashable {
    package var id: EndpointID
    package var entry: ManualEntry?
    /// Where it was sighted last, if it was used once.
    var memory: RememberedServer?
    package var settings = EndpointSettings()

    var isEmpty: Bool { entry == nil && memory == nil && settings.isEmpty }
}
