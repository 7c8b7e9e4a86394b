// SPDX-License-Identifier: Apache-2.0

/// The version of all programs and of the API's text, which are released together (semver.org).
package enum ProjectVersion {
    /// Major, minor and patch number.
    package static let text = "0.3.0"
}
