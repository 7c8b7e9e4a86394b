// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// The fields of a login that has no ID yet.
package struct NewLogin: Sendable, Hashable {
    /// The name: unique, 1 to 4096 bytes. The default is `usualName`, which the caller must set.
    package var name: String
    /// The endpoint that the password is for.
    package var endpoint: EndpointID
    /// The user name.
    package var user: String
    /// The domain; may be empty.
    package var domain: String
    /// The schema; may be empty.
    package var schema: String
    /// The key of the user name in the login string.
    package var userKey: UserKey
    /// Additional keys of the login string, at most `LoginExtra.limit`.
    package var extras: [LoginExtra]
    /// The identity that the endpoint showed and the user verified. All logins of an endpoint have the same pin.
    package var pin: Pin
    /// Whether the user allowed sending the password unencrypted to the pinned address.
    package var allowsPlaintext: Bool
    /// The network on which this is allowed: 32 bytes, or nil.
    package var networkID: [UInt8]?
    /// The interface of a link-local address; nil for every other pin.
    package var interface: String?
    /// Whether the user has verified the pin. While this is false, nothing is sent to the endpoint.
    package var isVerified = true
    /// The current name and URL of the endpoint.
    package var location: EndpointLocation?

    /// Makes a login from its fields.
    package init(
        name: String,
        endpoint: EndpointID,
        user: String,
        domain: String,
        schema: String,
        userKey: UserKey = .userID,
        extras: [LoginExtra] = [],
        pin: Pin,
        allowsPlaintext: Bool = false,
        networkID: [UInt8]? = nil,
        interface: String? = nil,
        location: EndpointLocation? = nil
    ) {
        self.name = name
        self.endpoint = endpoint
        self.user = user
        self.domain = domain
        self.schema = schema
        self.userKey = userKey
        self.extras = extras
        self.pin = pin
        self.allowsPlaintext = allowsPlaintext
        self.networkID = networkID
        self.interface = interface
        self.location = location
    }
    /// The usual name, `user@endpoint/domain/schema`, without empty parts.
    package static func usualName(user: String, endpoint: String, domain: String, schema: String) -> String {
        ([user + "@" + endpoint] + [domain, schema].filter { !$0.isEmpty }).joined(separator: "/")
    }
}
