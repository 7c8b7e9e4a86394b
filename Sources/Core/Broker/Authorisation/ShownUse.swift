// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import Registry

/// The server and the login that a prompt for approval has shown to the user. An approval is valid only for these.
package struct ShownUse: Sendable, Hashable {
    /// The endpoint's ID.
    package let endpoint: EndpointID
    /// The endpoint's name. Untrusted text.
    package let name: String
    /// The server's URL.
    package let url: ServerURL
    /// The identity that logins of the endpoint are bound to; nil if there is none.
    package let pin: Pin?
    /// The login; nil for a use without a login.
    package let login: Login?

    init(_ endpoint: Endpoint, pin: Pin?, login: Login?) {
        self.endpoint = endpoint.id
        name = endpoint.name
        url = endpoint.url
        self.pin = pin
        self.login = login
    }

    /// Whether an approval of this use is valid for `other` too. The login's last use and its password may differ.
    func isSame(as other: ShownUse) -> Bool {
        // While the vault is closed no pin can be shown. A pin that becomes readable later only makes the use stricter.
        guard endpoint == other.endpoint, name == other.name, url == other.url, pin == nil || pin == other.pin else {
            return false
        }
        switch (login, other.login) {
        case (nil, nil): return true
        case (let login?, let other?): return login.name == other.name && login.isUsed(as: other)
        default: return false
        }
    }
}
