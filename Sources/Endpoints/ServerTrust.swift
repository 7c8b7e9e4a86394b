// SPDX-License-Identifier: Apache-2.0

/// How the user identifies a server that speaks TLS. The raw values are those of the API and of `--trust`.
package enum ServerTrust: String, Sendable, Hashable, CaseIterable {
    /// By its key.
    case key
    /// By a certificate for its host from an authority that the machine trusts.
    case authority = "ca"
}
