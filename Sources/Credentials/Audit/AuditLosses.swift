// SPDX-License-Identifier: Apache-2.0

package import Platform

/// What the log could not take since the daemon started.
package struct AuditLosses: Sendable, Hashable {
    package var events = 0
    /// Why the last attempt to write failed; nil when it succeeded.
    package var failure: PlatformError?
}
