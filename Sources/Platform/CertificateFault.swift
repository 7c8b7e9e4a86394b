// SPDX-License-Identifier: Apache-2.0

/// The reason why a certificate does not prove a server's identity.
package enum CertificateFault: Error, Hashable {
    case expired
    case notYetValid
    /// The server's certificate, or the last one of the chain that it sent, is self-signed.
    case selfSigned
    /// The chain does not end at a trusted authority.
    case unknownIssuer
    /// The certificate is for another host.
    case otherHost
    /// Any other fault, in libcrypto's words.
    case unfit(String)
    /// No certificate, too many certificates, or bytes that are not a certificate.
    case unreadable
    /// The file of trusted authorities with this path could not be read.
    case noAuthorities(String)
    /// libcrypto failed.
    case crypto(call: String)
}

extension CertificateFault: CustomStringConvertible {
    /// The fault as a sentence about the server.
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
