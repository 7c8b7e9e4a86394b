// SPDX-License-Identifier: Apache-2.0

/// Whether an endpoint is probed without being asked for.
package enum ProbeMode: String, Sendable, Hashable, CaseIterable {
    /// As usual: if it was added, configured, or used once.
    case on
    case off
}
