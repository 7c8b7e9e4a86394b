// SPDX-License-Identifier: Apache-2.0

/// The origin of an endpoint. A discovered endpoint that the user also added or imported is `manual` or `imported`;
/// one that the administrator configured is always `configured`.
package enum Origin: String, Sendable, Hashable, Codable, CaseIterable {
    case discovered, manual, imported, configured
}
