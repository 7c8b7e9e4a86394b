// SPDX-License-Identifier: Apache-2.0

/// An event for watchers of adapters.
package enum AdapterNews: Sendable, Hashable {
    case opened(Adapter)
    case ended(Adapter, AdapterEnd)
}
