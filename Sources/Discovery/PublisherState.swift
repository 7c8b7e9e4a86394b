// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// Whether a service is announced.
package enum PublisherState: Sendable, Hashable {
    /// - Parameter name: the wanted one, or the one that was chosen because that was taken.
    case published(name: String)
    case unpublished(SourceFault)
}
