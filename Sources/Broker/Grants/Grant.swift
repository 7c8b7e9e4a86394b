// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import Glibc

/// A separate socket that permits some calls of one login. Any process that can reach the socket may make them, and
/// no others.
package struct Grant: Sendable, Hashable {
    /// The socket's file name in the grant's directory.
    static let socketName = "adapter.sock"

    /// Unique among the open grants.
    package let id: String
    /// Accessible to the user only, and made to be mounted into a sandbox.
    package let directory: String
    /// The login that calls use.
    package let login: LoginID
    /// The login's name.
    package let loginName: String
    /// The endpoint that calls are sent to.
    package let endpoint: EndpointID
    /// Untrusted text.
    package let endpointName: String
    /// The permitted calls.
    package let filter: CallFilter
    /// The process that requested the grant, as the kernel reports it.
    package let peer: Int32?
    /// Seconds since 1970.
    package let created: Int64
    /// Seconds since 1970.
    package let expires: Int64

    /// The path of the socket.
    package var socketPath: String { "\(directory)/\(Self.socketName)" }

    func removeDirectory() {
        unlink(socketPath)
        rmdir(directory)
    }
}

/// The request for a grant.
package struct GrantOrder: Sendable, Hashable {
    /// Permitted lifetimes of a grant.
    package static let times = Duration.seconds(60)...Duration.seconds(86_400)

    /// A login's name.
    package var login: String
    /// If empty, the endpoint's data service.
    package var services: [String] = []
    /// If empty and `isReadOnly`, the methods that only read.
    package var methods: [String] = []
    /// Whether only calls that read are permitted.
    package var isReadOnly = false
    /// The grant's lifetime.
    package var time = Duration.seconds(8 * 3_600)
    /// The use that the user has just approved; nil if the user was not asked.
    package var agreed: ShownUse?

    /// Eight hours of the endpoint's data service; the methods must still be set, or `isReadOnly`.
    package init(login: String) {
        self.login = login
    }
}
