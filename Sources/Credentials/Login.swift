// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// One login as it may be shown: everything but its secrets.
package struct Login: Sendable, Hashable {
    package let id: LoginID
    /// Unique among the logins of one origin. Where both have it, the configured login is meant.
    package let name: String
    package let origin: LoginOrigin
    package let endpoint: EndpointID
    package let user: String
    package let domain: String
    package let schema: String
    package let userKey: UserKey
    package let extras: [LoginExtra]
    /// What the endpoint must show before the password is used.
    package let pin: Pin
    /// The user allowed the password to go unencrypted to the pinned address, on the network `networkID`.
    package let allowsPlaintext: Bool
    /// 32 bytes that name the network of a plain-text permission; nil when it could not be named, and must be asked for.
    package let networkID: [UInt8]?
    /// The only interface that the permission holds on, for a link-local address; nil for every other pin.
    package let interface: String?
    /// False while nobody has agreed to the pin on this machine: it came with an import.
    package let isVerified: Bool
    /// Where the server was when somebody agreed to the pin, as `ServerURL` writes it; nil where that is not known.
    package let agreedURL: String?
    package let hasEnvelopePassword: Bool
    /// Seconds since 1970.
    package let created: UInt64
    /// Days since 1970; 0 if it was never used.
    package let lastUsedDay: UInt32
    /// One more each time its secrets are sealed anew.
    package let revision: UInt64
}
