// SPDX-License-Identifier: Apache-2.0

import Glibc
import Remoting
import TestSupport
import Testing

@Suite("Certificate authorities")
struct CertificateAuthoritiesTests {
    private static func fault(
        _ authorities: CertificateAuthorities,
        _ chain: [[UInt8]],
        _ host: String
    ) -> CertificateFault? {
        do throws(CertificateFault) {
            try authorities.check(chain, for: CertificateAuthorities.Host(host))
            return nil
        } catch {
            return error
        }
    }

    private static func der(_ certificate: String) async throws -> [UInt8] {
        try await Command(["openssl", "x509", "-in", certificate, "-outform", "der", "-out", certificate + ".der"])
            .succeed()
        return TextFile.bytes(of: certificate + ".der")
    }

    @Test("check accepts the alternative names and addresses of a certificate, and no other host")
    func hosts() async throws {
        let directory = TemporaryDirectory()
        let authority = try await TestAuthority(in: directory)
        let trusted = CertificateAuthorities(file: authority.file)
        let names =
            "subjectAltName=DNS:db.example.com,DNS:*.wild.example,DNS:a*.part.example,IP:10.0.0.7,IP:2001:db8::7"
        let own = try await Self.der(authority.issue("server", for: names, subject: "subject.example").certificate)
        for host in ["db.example.com", "any.wild.example", "10.0.0.7", "2001:db8::7"] {
            #expect(Self.fault(trusted, [own], host) == nil, "\(host)")
        }
        for host in [
            "example.com", "x.db.example.com", "wild.example", "two.any.wild.example", "ab.part.example",
            "subject.example", "10.0.0.8", "2001:db8::8", "localhost", "xn--a.wild.example.com",
        ] {
            #expect(Self.fault(trusted, [own], host) == .otherHost, "\(host)")
        }
        for host in ["", "\0", "db.example.com\0.example"] {
            #expect(Self.fault(trusted, [own], host) != nil, "no name at all must not stand for any")
        }
        let bare = try await Self.der(authority.issue("bare", subject: "subject.example").certificate)
        #expect(Self.fault(trusted, [bare], "subject.example") == .otherHost)
    }

    @Test("check rejects expired, self-signed, untrusted and unsuitable certificates, with the reason")
    func faults() async throws {
        let directory = TemporaryDirectory()
        let authority = try await TestAuthority(in: directory)
        let stranger = try await TestAuthority("stranger", in: directory)
        let trusted = CertificateAuthorities(file: authority.file)
        let name = "subjectAltName=DNS:localhost"
        func issued(
            _ file: String,
            by issuer: TestAuthority,
            for extensions: String,
            days: Int = 1
        ) async throws -> [UInt8] {
            try await Self.der(issuer.issue(file, for: name, extensions, days: days).certificate)
        }
        let usual = "extendedKeyUsage=serverAuth"
        let good = try await issued("good", by: authority, for: usual)
        #expect(Self.fault(trusted, [good], "localhost") == nil)
        let old = try await issued("old", by: authority, for: usual, days: -1)
        #expect(Self.fault(trusted, [old], "localhost") == .expired)
        let strange = try await issued("strange", by: stranger, for: usual)
        #expect(Self.fault(trusted, [strange], "localhost") == .unknownIssuer)
        let own = try await Self.der(stranger.file)
        #expect(Self.fault(trusted, [strange, own], "localhost") == .selfSigned)
        #expect(Self.fault(trusted, [own], "stranger") == .selfSigned)
        let client = try await issued("client", by: authority, for: "extendedKeyUsage=clientAuth")
        guard case .unfit? = Self.fault(trusted, [client], "localhost") else {
            return #expect(Bool(false), "a client's certificate was taken")
        }
    }

    @Test("check needs the certificate of an intermediate authority in the chain")
    func intermediate() async throws {
        let directory = TemporaryDirectory()
        let root = try await TestAuthority(in: directory)
        let between = try await TestAuthority("between", in: directory, under: root)
        let issued = try await between.issue("server", for: "subjectAltName=DNS:localhost")
        let own = try await Self.der(issued.certificate)
        let middle = try await Self.der(between.file)
        let trusted = CertificateAuthorities(file: root.file)
        #expect(Self.fault(trusted, [own, middle], "localhost") == nil)
        #expect(Self.fault(trusted, [own], "localhost") == .unknownIssuer)
        #expect(Self.fault(trusted, [own] + [[UInt8]](repeating: middle, count: 10), "localhost") == .unreadable)
        // A server's certificate must not act as an authority.
        let server = TestAuthority(issued, in: directory)
        let forged = try await server.issue("forged", for: "subjectAltName=DNS:localhost")
        let chain = [try await Self.der(forged.certificate), own, middle]
        #expect(Self.fault(trusted, chain, "localhost") != nil)
    }

    @Test("check rejects bytes that are not a certificate, and authorities that cannot be read")
    func unreadable() async throws {
        let directory = TemporaryDirectory()
        let authority = try await TestAuthority(in: directory)
        let own = try await Self.der(authority.issue("server", for: "subjectAltName=DNS:localhost").certificate)
        let trusted = CertificateAuthorities(file: authority.file)
        let chains: [[[UInt8]]] = [[], [[]], [[0x30]], [own.dropLast()], [own + [0]], [own, [1, 2, 3]]]
        for chain in chains {
            #expect(Self.fault(trusted, chain, "localhost") == .unreadable)
        }
        var random = SeededRandom(seed: 7)
        for _ in 0..<2_000 {
            var changed = own
            changed[Int.random(in: changed.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            #expect(Self.fault(trusted, [changed], "localhost") != nil)
        }
        directory.write(Array("nothing".utf8), to: "empty.pem")
        for name in ["empty.pem", "missing.pem"] {
            let path = directory.path(of: name)
            #expect(Self.fault(CertificateAuthorities(file: path), [own], "localhost") == .noAuthorities(path))
        }
    }

    @Test("the system's authorities do not depend on the environment")
    func environment() async throws {
        let directory = TemporaryDirectory()
        let authority = try await TestAuthority(in: directory)
        let own = try await Self.der(authority.issue("server", for: "subjectAltName=DNS:localhost").certificate)
        setenv("SSL_CERT_FILE", authority.file, 1)
        setenv("SSL_CERT_DIR", directory.path(of: ""), 1)
        defer {
            unsetenv("SSL_CERT_FILE")
            unsetenv("SSL_CERT_DIR")
        }
        #expect(Self.fault(CertificateAuthorities(), [own], "localhost") == .unknownIssuer)
    }
}
