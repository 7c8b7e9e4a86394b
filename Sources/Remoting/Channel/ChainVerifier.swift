// SPDX-License-Identifier: Apache-2.0

package import NIOPosix
package import Platform

/// Checks certificates against the trusted authorities, away from the event loop: that reads files.
package struct ChainVerifier: Sendable {
    private let authorities: CertificateAuthorities
    private let pool: NIOThreadPool

    package init(_ authorities: CertificateAuthorities, on pool: NIOThreadPool) {
        self.authorities = authorities
        self.pool = pool
    }

    /// - Parameters:
    ///   - chain: in DER, the server's own certificate first.
    ///   - host: a name or an address.
    ///   - done: gets what is wrong, or nil, on any thread.
    func verify(_ chain: [[UInt8]], for host: String, _ done: @escaping @Sendable (String?) -> Void) {
        let host = CertificateAuthorities.Host(host)
        pool.submit { state in
            guard state == .active else { return done("the program ends") }
            do throws(CertificateFault) {
                try authorities.check(chain, for: host)
                done(nil)
            } catch {
                done("\(error)")
            }
        }
    }
}
