// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import Remoting

/// The login service of one server.
package struct LoginService: Sendable {
    package static let defaultName = "LoginService"

    private let channel: RemotingChannel
    private let name: String

    package init(_ channel: RemotingChannel, name: String = Self.defaultName) {
        self.channel = channel
        self.name = name
    }

    /// Sends a request made by `LoginRequest.encode`, whose bytes are overwritten afterwards whatever happens.
    ///
    /// - Returns: false if the server refused.
    /// - Throws: `RemotingError`, `CancellationError`.
    package func logIn(_ request: ByteBuffer, deadline: Duration) async throws -> Bool {
        let reply = try await channel.post(request, deadline: deadline, wiping: true)
        return try LoginReply.decode(reply, limits: channel.settings.limits)
    }

    /// Ends the session.
    ///
    /// - Throws: `RemotingError`, `CancellationError`.
    package func logOut(_ clientID: ClientID, deadline: Duration) async throws {
        let request = LogoutRequest.encode(clientID: clientID, serviceName: name)
        let reply = try await channel.post(request, deadline: deadline)
        _ = try ReplyMessage.values(of: reply, limits: channel.settings.limits)
    }
}

/// The Logout call of a login service.
package enum LogoutRequest {
    package static let method = "Logout"

    package static func encode(clientID: ClientID, serviceName: String = LoginService.defaultName) -> ByteBuffer {
        RequestMessage.writer(clientID: clientID, service: serviceName, method: method).buffer
    }
}
