// SPDX-License-Identifier: Apache-2.0

/// Why a server's certificate does not prove that it is who it is taken for.
package enum CertificateFault: Error, Hashable {
    case expired
    case notYetValid
    /// It, or the last certificate that came with it, vouches for itself.
    case selfSigned
    /// No authority that is trusted stands at the end of the chain.
    case unknownIssuer
    /// It is for another host.
    case otherHost
    /// libcrypto's word for what is wrong.
    case unfit(String)
    /// No certificate, too many, or bytes that are none.
    case unreadable
    /// The file of trusted authorities, which could not be read.
    case noAuthorities(String)
    /// libcrypto failed.
    case crypto(call: String)
}

extension CertificateFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .expired: "its certificate, or that of its issuer, has expired"
        case .notYetValid: "its certificate is not valid yet"
        case .selfSigned: "its certificate is vouched for by itself alone"
        case .unknownIssuer: "no certificate authority that is trusted here vouches for its certificate"
        case .otherHost: "its certificate is for another host"
        case .unfit(let reason): "its certificate is not taken: \(reason)"
        case .unreadable: "what it shows is no certificate"
        case .noAuthorities(let file): "the authorities in \(ShellWord.quote(file)) cannot be read"
        case .crypto(let call): "its certificate cannot be checked: \(call) failed"
        }
    }
}
