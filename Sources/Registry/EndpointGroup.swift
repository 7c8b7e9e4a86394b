// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// What endpoints are counted by.
package struct EndpointGroup: Sendable, Hashable {
    package let origin: Origin
    package let state: EndpointState

    package init(origin: Origin, state: EndpointState) {
        self.origin = origin
        self.state = state
    }
}
