// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import Glibc

/// A socket of its own that lets some calls of one login through: whoever can reach it may make them, and nothing else.
package struct Grant: Sendable, Hashable {
    /// The socket's name in the grant's directory.
    static let socketName = "adapter.sock"

    package let id: String
    /// Ours alone, and made for being mounted into a sandbox.
    package let directory: String
    package let login: LoginID
    package let loginName: String
    package let endpoint: EndpointID
    /// Foreign text.
    package let endpointName: String
    package let filter: CallFilter
    /// The process that asked for it, as the kernel told.
    package let peer: Int32?
    /// Seconds since 1970.
    package let created: Int64
    package let expires: Int64

    package var socketPath: String { "\(directory)/\(Self.socketName)" }

    func removeDirectory() {
        unlink(socketPath)
        rmdir(directory)
    }
}

/// What a grant is to be for.
package struct GrantOrder: Sendable, Hashable {
    /// How long a grant may live.
    package static let times = Duration.seconds(60)...Duration.seconds(86_400)

    /// A login's name.
    package var login: String
    /// None stands for the endpoint's data service.
    package var services: [String] = []
    /// None stands for those that only read, if `isReadOnly`.
    package var methods: [String] = []
    package var isReadOnly = false
    package var time = Duration.seconds(8 * 3_600)
    /// The use that the user has just agreed to. Nil if the user was not asked.
    package var agreed: ShownUse?

    package init(login: String) {
        self.login = login
    }
}
