// SPDX-License-Identifier: Apache-2.0

/// The kind of adapter that a caller requests.
package struct AdapterOrder: Sendable, Hashable {
    /// A login's name; nil selects the only login of the endpoint.
    package var login: String?
    /// Whether to open the adapter without a login, for servers that require none.
    package var isAnonymous = false
    /// The kind of address.
    package var form = AdapterForm.socket
    /// Whether to use a separate session, which may poll for events.
    package var hasOwnSession = false
    /// When the adapter is closed.
    package var lifetime = AdapterLifetime.held
    /// The use that the user has just approved; nil if the user was not asked.
    package var agreed: ShownUse?

    /// A shared session on a Unix socket, open while the caller is connected.
    package init() {}
}
