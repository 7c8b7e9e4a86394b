// SPDX-License-Identifier: Apache-2.0

/// What watchers of adapters are told.
package enum AdapterNews: Sendable, Hashable {
    case opened(Adapter)
    case ended(Adapter, AdapterEnd)
}
