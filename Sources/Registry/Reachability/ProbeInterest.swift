// SPDX-License-Identifier: Apache-2.0

/// Why an endpoint is probed: one with no interest never is.
package enum ProbeInterest: Sendable, Hashable {
    /// It was added, configured, or used once.
    case kept
    /// A lease on it is open, or somebody watches it.
    case inUse
}
