// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// A login without its secrets, so that it can be shown.
package struct Login: Sendable, Hashable {
    /// The ID, which never changes.
    package let id: LoginID
    /// Unique among the logins of one origin. If both origins have the name, it means the configured login.
    package let name: String
    /// The owner of the login.
    package let origin: LoginOrigin
    /// The endpoint that the password is for.
    package let endpoint: EndpointID
    /// The user name of the login.
    package let user: String
    /// The domain of the login; may be empty.
    package let domain: String
    /// The schema of the login; may be empty.
    package let schema: String
    /// The key of the user name in the login string.
    package let userKey: UserKey
    /// Additional keys of the login string.
    package let extras: [LoginExtra]
    /// The identity that the endpoint must show before the password is used.
    package let pin: Pin
    /// Whether the user allowed sending the password unencrypted to the pinned address, on the network `networkID`.
    package let allowsPlaintext: Bool
    /// 32 bytes that identify the network of a plain-text permission; nil if the network could not be identified.
    package let networkID: [UInt8]?
    /// For a link-local address: the only interface on which the permission holds. nil for every other pin.
    package let interface: String?
    /// Whether the user has verified the pin on this machine. False after an import.
    package let isVerified: Bool
    /// The URL of the server when the pin was verified, as `ServerURL` writes it; nil if it is not known.
    package let agreedURL: String?
    /// Whether the login has a password for the AES envelope.
    package let hasEnvelopePassword: Bool
    /// Seconds since 1970.
    package let created: UInt64
    /// Days since 1970; 0 if the login was never used.
    package let lastUsedDay: UInt32
    /// Increases by one each time the secrets are sealed again.
    package let revision: UInt64
}
