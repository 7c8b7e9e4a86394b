// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// What a login is made of, before it has an identity.
package struct NewLogin: Sendable, Hashable {
    /// 1 to 4096 bytes and unique; by default the caller says `usualName`.
    package var name: String
    package var endpoint: EndpointID
    package var user: String
    package var domain: String
    package var schema: String
    package var userKey: UserKey
    /// At most `LoginExtra.limit`.
    package var extras: [LoginExtra]
    /// What the endpoint showed and the user agreed to. It must be that of the endpoint's other logins.
    package var pin: Pin
    package var allowsPlaintext: Bool
    /// 32 bytes, or nil.
    package var networkID: [UInt8]?
    /// The interface of a link-local address; nil for every other pin.
    package var interface: String?
    /// False while nobody has agreed to the pin: nothing is sent there.
    package var isVerified = true
    /// Where the endpoint is now.
    package var location: EndpointLocation?

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
    /// `user@endpoint/domain/schema`, without what is empty.
    package static func usualName(user: String, endpoint: String, domain: String, schema: String) -> String {
        ([user + "@" + endpoint] + [domain, schema].filter { !$0.isEmpty }).joined(separator: "/")
    }
}
