// SPDX-License-Identifier: Apache-2.0

import CLibCrypto
import Glibc
import Platform

/// The certificate authorities that this machine trusts to identify servers.
///
/// They are read again for each check, so that an authority that was removed stops counting. `SSL_CERT_FILE` and
/// `SSL_CERT_DIR` are ignored: a user who can set a program's environment must not choose its authorities.
package struct CertificateAuthorities: Sendable, Hashable {
    /// The host that a certificate must be for.
    package enum Host: Sendable, Hashable {
        case name(String)
        /// 4 or 16 bytes in network order.
        case address([UInt8])

        /// Reads text as an IPv4 or IPv6 address if it is one, otherwise as a name.
        package init(_ text: String) {
            for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
                var bytes = [UInt8](repeating: 0, count: count)
                guard inet_pton(family, text, &bytes) == 1 else { continue }
                self = .address(bytes)
                return
            }
            self = .name(text)
        }
    }

    /// The number of certificates that a server may send, which is more than any chain in use has.
    private static let longestChain = 10
    /// Keys and hashes must have at least 112 bits: RSA keys of 2048 bits or more, and no SHA-1
    /// (SSL_CTX_set_security_level(3)).
    private static let securityLevel: Int32 = 2

    /// A file of certificates in PEM; nil for the system's authorities.
    private let file: String?

    /// - Parameter file: a file of certificates in PEM, used instead of the system's.
    package init(file: String? = nil) {
        self.file = file
    }

    /// Checks the certificates that a server sent in a TLS handshake. They must form a complete chain to a trusted
    /// authority and be valid now. The first one must be for a server and name the host among its alternative names
    /// (RFC 9525). A name in the subject does not count. Revocation is not checked. Reads files.
    ///
    /// - Parameter chain: the certificates in DER, the server's own first.
    package func check(_ chain: [[UInt8]], for host: Host) throws(CertificateFault) {
        defer { ERR_clear_error() }
        guard (1...Self.longestChain).contains(chain.count) else { throw .unreadable }
        let store = try CertificateStore(file: file)
        let others = try CertificateStack(chain.dropFirst())
        let own = try Certificate(chain[0])
        guard let context = X509_STORE_CTX_new() else { throw .crypto(call: "X509_STORE_CTX_new") }
        defer { X509_STORE_CTX_free(context) }
        guard X509_STORE_CTX_init(context, store.pointer, own.pointer, others.pointer) == 1,
            X509_STORE_CTX_set_default(context, "ssl_server") == 1,
            Self.expect(host, X509_STORE_CTX_get0_param(context))
        else { throw .crypto(call: "X509_STORE_CTX_init") }
        guard X509_verify_cert(context) != 1 else { return }
        throw CertificateFault(verifyError: X509_STORE_CTX_get_error(context))
    }

    private static func expect(_ host: Host, _ parameters: OpaquePointer?) -> Bool {
        let flags = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS
        X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(flags))
        X509_VERIFY_PARAM_set_auth_level(parameters, securityLevel)
        return switch host {
        // libcrypto takes an empty name to mean any host.
        case .name(let name): !name.isEmpty && X509_VERIFY_PARAM_set1_host(parameters, name, name.utf8.count) == 1
        case .address(let bytes): X509_VERIFY_PARAM_set1_ip(parameters, bytes, bytes.count) == 1
        }
    }
}

extension CertificateFault {
    fileprivate init(verifyError code: Int32) {
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: self = .selfSigned
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            self = .unknownIssuer
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: self = .otherHost
        default: self = .unfit(X509_verify_cert_error_string(Int(code)).map { String(cString: $0) } ?? "\(code)")
        }
    }
}

/// An X509 object of libcrypto.
private struct Certificate: ~Copyable {
    let pointer: OpaquePointer

    init(_ der: [UInt8]) throws(CertificateFault) {
        let parsed = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var next = bytes.baseAddress
            guard let certificate = d2i_X509(nil, &next, bytes.count) else { return nil }
            guard next == bytes.baseAddress.map({ $0 + bytes.count }) else {
                X509_free(certificate)
                return nil
            }
            return certificate
        }
        guard let parsed else { throw .unreadable }
        pointer = parsed
    }

    deinit { X509_free(pointer) }
}

/// The other certificates that the server sent.
private struct CertificateStack: ~Copyable {
    let pointer: OpaquePointer

    init(_ chain: ArraySlice<[UInt8]>) throws(CertificateFault) {
        guard let stack = OPENSSL_sk_new_null() else { throw .crypto(call: "OPENSSL_sk_new_null") }
        do throws(CertificateFault) {
            for der in chain { try Self.push(der, to: stack) }
        } catch {
            Self.free(stack)
            throw error
        }
        pointer = stack
    }

    deinit { Self.free(pointer) }

    private static func push(_ der: [UInt8], to stack: OpaquePointer) throws(CertificateFault) {
        let certificate = try Certificate(der)
        guard OPENSSL_sk_push(stack, UnsafeRawPointer(certificate.pointer)) > 0 else {
            throw .crypto(call: "OPENSSL_sk_push")
        }
        // The stack frees the certificate as well.
        X509_up_ref(certificate.pointer)
    }

    private static func free(_ stack: OpaquePointer) {
        OPENSSL_sk_pop_free(stack) { X509_free($0.map { OpaquePointer($0) }) }
    }
}

/// The trusted certificates, in the form in which libcrypto looks them up.
private struct CertificateStore: ~Copyable {
    let pointer: OpaquePointer

    init(file: String?) throws(CertificateFault) {
        guard let store = X509_STORE_new() else { throw .crypto(call: "X509_STORE_new") }
        do throws(CertificateFault) {
            try Self.load(file, into: store)
        } catch {
            X509_STORE_free(store)
            throw error
        }
        pointer = store
    }

    deinit { X509_STORE_free(pointer) }

    private static func load(_ file: String?, into store: OpaquePointer) throws(CertificateFault) {
        if let file {
            guard X509_STORE_load_file(store, file) == 1 else { throw .noAuthorities(file) }
            return
        }
        // The paths that libcrypto was built with, whatever the environment says. From a directory only the
        // certificates that are needed are read; reading the bundle of all takes tens of milliseconds.
        let directory = X509_get_default_cert_dir().map { String(cString: $0) } ?? ""
        let bundle = X509_get_default_cert_file().map { String(cString: $0) } ?? ""
        guard X509_STORE_load_path(store, directory) == 1 else { throw .crypto(call: "X509_STORE_load_path") }
        if access(bundle, R_OK) == 0 {
            guard X509_STORE_load_file(store, bundle) == 1 else { throw .noAuthorities(bundle) }
        }
    }
}

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
        case .selfSigned: "its certificate is self-signed"
        case .unknownIssuer: "its certificate is from no certificate authority that is trusted here"
        case .otherHost: "its certificate is for another host"
        case .unfit(let reason): "its certificate is not accepted: \(reason)"
        case .unreadable: "its certificate cannot be parsed"
        case .noAuthorities(let file): "the authorities in \(ShellWord.quote(file)) cannot be read"
        case .crypto(let call): "its certificate cannot be checked: \(call) failed"
        }
    }
}
