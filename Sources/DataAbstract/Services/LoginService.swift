// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import Remoting

/// The login service of one server.
package struct LoginService: Sendable {
    package static let defaultName = "LoginService"

    private let channel: RemotingChannel
    private let name: String

    package init(channel: RemotingChannel, name: String = Self.defaultName) {
        self.channel = channel
        self.name = name
    }

    /// Sends a request made by `LoginRequest.encode`, whose bytes are overwritten afterwards whatever happens.
    ///
    /// - Returns: false if the server refused.
    /// - Throws: `RepeatedPassword` in the place of an exception that shows the password; `RemotingError`,
    ///   `CancellationError`.
    package func login(_ request: LoginMessage, deadline: Duration = .seconds(10)) async throws -> Bool {
        defer { request.wipe() }
        let reply = try await channel.post(request.bytes, deadline: deadline)
        do {
            return try LoginReply.decode(reply, limits: channel.settings.limits)
        } catch {
            if case .exception(let exception) = error, request.isRepeated(in: exception) { throw RepeatedPassword() }
            throw error
        }
    }

    /// Ends the session.
    ///
    /// - Throws: `RemotingError`, `CancellationError`.
    package func logout(clientID: ClientID, deadline: Duration = .seconds(5)) async throws {
        let request = LogoutRequest.encode(service: name, clientID: clientID)
        let reply = try await channel.post(request, deadline: deadline)
        _ = try ReplyMessage.values(of: reply, limits: channel.settings.limits)
    }
}

/// The Logout call of a login service.
package enum LogoutRequest {
    package static let method = "Logout"

    package static func encode(service: String = LoginService.defaultName, clientID: ClientID) -> ByteBuffer {
        RequestMessage.writer(clientID: clientID, service: service, method: method).buffer
    }
}
