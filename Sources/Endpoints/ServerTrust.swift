// SPDX-License-Identifier: Apache-2.0

/// By what a user wants to know a server that speaks TLS. Raw values are the words of the API and of `--trust`.
package enum ServerTrust: String, Sendable, Hashable, CaseIterable {
    /// Its key.
    case key
    /// A certificate for its host from an authority that the machine trusts.
    case authority = "ca"
}
