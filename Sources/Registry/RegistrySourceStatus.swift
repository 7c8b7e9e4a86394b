// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// Why the list is what it is: what one of its sources is doing.
package struct RegistrySourceStatus: Sendable, Hashable {
    package var name: SourceName
    package var state: SourceState
    package var isSettled: Bool
    /// How long the source has worked; nil while it does not.
    package var upFor: Duration?
    /// How long ago it last reported a server; nil when it never did since it came up.
    package var heardAgo: Duration?
}
