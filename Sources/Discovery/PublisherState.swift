// SPDX-License-Identifier: Apache-2.0

/// Whether a service is announced.
package enum PublisherState: Sendable, Hashable {
    /// - Parameter name: the wanted one, or the one that was chosen because that was taken.
    case published(name: String)
    /// - Parameter reason: a short sentence fragment, for example `avahi-daemon is not running`.
    case unpublished(reason: String)
}
