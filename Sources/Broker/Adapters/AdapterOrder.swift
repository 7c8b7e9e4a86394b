// SPDX-License-Identifier: Apache-2.0

/// What kind of adapter a caller asks for.
package struct AdapterOrder: Sendable, Hashable {
    /// A login's name; nil takes the only login of the endpoint.
    package var login: String?
    /// Without a login, for servers that ask for none.
    package var isAnonymous = false
    package var form = AdapterForm.socket
    /// Logs in anew for this adapter alone, so that it may poll for events.
    package var hasOwnSession = false
    package var lifetime = AdapterLifetime.held
    /// The use that the user has just agreed to. Nil if the user was not asked.
    package var agreed: ShownUse?

    package init() {}
}
