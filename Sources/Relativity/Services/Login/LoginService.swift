// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore
package import Remoting

/// The login service of a server.
package struct LoginService: Sendable {
    /// The usual name of the service.
    package static let defaultName = "LoginService"

    /// Replies of a login service are short.
    private static let limits = WireLimits.login

    /// Runs work on another thread or executor than the one that awaits the login.
    package typealias Aside = @Sendable (_ work: @escaping @Sendable () throws -> Bool) async throws -> Bool

    private let channel: RemotingChannel
    private let name: String

    /// Creates a service that is called over `channel`.
    package init(channel: RemotingChannel, name: String = Self.defaultName) {
        self.channel = channel
        self.name = name
    }

    /// Sends a request made by `LoginRequest`. The bytes of the request and of the reply are always overwritten
    /// afterwards.
    ///
    /// - Parameter aside: runs the decoding of the reply and its search for the password, which takes some time.
    /// - Returns: false if the server refused.
    /// - Throws: `WithheldRefusal` instead of an exception that contains the password; `RemotingError`,
    ///   `CancellationError`.
    package func login(
        _ request: LoginMessage,
        deadline: Duration = .seconds(10),
        aside: Aside = { try $0() }
    ) async throws -> Bool {
        defer { request.wipe() }
        let limit = Self.limits.message
        let reply = try await channel.post(request.bytes, deadline: deadline, limit: limit, wipesReply: true)
        defer { reply.wipeSharedStorage() }
        return try await aside { try LoginReply.decode(reply, to: request) }
    }

    /// Ends the session. This is the last call over a channel and does not wait for other calls.
    ///
    /// The reply is overwritten, because a server may repeat in it the data that it received with the login.
    /// - Throws: `RemotingError`, without the texts of an exception; `CancellationError`.
    package func logout(clientID: ClientID, deadline: Duration = .seconds(5)) async throws {
        let request = LogoutRequest.encode(service: name, clientID: clientID)
        let limit = Self.limits.message
        let reply = try await channel.post(
            request,
            deadline: deadline,
            limit: limit,
            isLastWord: true,
            wipesReply: true
        )
        defer { reply.wipeSharedStorage() }
        var start = reply
        switch try MessageHeader(from: &start).kind {
        case .message: break
        case .exception: throw RemotingError.exception(RemotingException(className: "", message: ""))
        case .event, .poll, .pollResponse: throw RemotingError.malformed(reason: "not a reply to a call")
        }
    }
}

/// The Logout call of a login service.
package enum LogoutRequest {
    /// The name of the method.
    package static let method = "Logout"

    /// Encodes the call.
    package static func encode(service: String = LoginService.defaultName, clientID: ClientID) -> ByteBuffer {
        RequestMessage.writer(clientID: clientID, service: service, method: method).buffer
    }
}
