// SPDX-License-Identifier: Apache-2.0

/// What kind of adapter a caller asks for.
package struct AdapterOrder: Sendable, Hashable {
    /// A login's name; nil takes the only login of the endpoint.
    package var login: String?
    /// Without a login, for servers that ask for none.
    package var isAnonymous = false
    package var form = AdapterForm.socket
    package var lifetime = AdapterLifetime.held

    package init() {}
}
