// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Audit events that could not be written since the daemon started.
package struct AuditLosses: Sendable, Hashable {
    /// The number of lost events.
    package var events = 0
    /// The reason why the last attempt to write failed; nil if it succeeded.
    package var failure: PlatformError?
}
