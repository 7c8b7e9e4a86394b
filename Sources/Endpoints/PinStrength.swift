// SPDX-License-Identifier: Apache-2.0

/// Strength of a pin: what a server has to prove before a password goes to it.
package enum PinStrength: String, Sendable, Hashable, CaseIterable {
    /// The private key of a TLS certificate.
    case tlsKey
    /// A TLS certificate for a host, from a trusted authority.
    case authority
    /// Nothing: plain HTTP at an address.
    case address
    /// Nothing by itself: plain HTTP at an address of this machine.
    case loopback

    /// The byte that stands for it in pin records (docs/vault-format.md) and in lines of the audit log (docs/audit.md). It is
    /// the same for both kinds of TLS.
    package var code: UInt8 {
        switch self {
        case .tlsKey, .authority: 3
        case .address: 1
        case .loopback: 0
        }
    }

    /// The server proves its identity over TLS, so that everything to it is encrypted.
    package var isEncrypted: Bool { self == .tlsKey || self == .authority }
}
