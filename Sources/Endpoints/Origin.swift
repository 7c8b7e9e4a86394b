// SPDX-License-Identifier: Apache-2.0

/// How an endpoint came to be known. A discovered one that the user also added or imported counts as that; one that the
/// administrator laid down is configured, whatever else it is.
package enum Origin: String, Sendable, Hashable, Codable, CaseIterable {
    case discovered, manual, imported, configured
}
