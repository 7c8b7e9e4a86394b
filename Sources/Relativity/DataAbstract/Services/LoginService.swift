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

    /// Sends a request made by `LoginRequest` or `PlainLoginRequest`. The bytes of the request and of the reply are
    /// always overwritten afterwards.
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

    /// Fetches the database connections that a MultiDb login can name.
    ///
    /// - Throws: `RemotingError`, `CancellationError`.
    package func connectionNames(clientID: ClientID, deadline: Duration = .seconds(10)) async throws -> [String] {
        let result = try await result(of: ServiceCatalog.connectionNames, clientID, deadline)
        guard case .array(let names) = result else { return [] }
        return (names ?? []).compactMap { if case .utf8String(let name) = $0 { name } else { nil } }
    }

    /// Fetches the connection that the server uses if a login does not name one.
    ///
    /// - Throws: `RemotingError`, `CancellationError`.
    package func defaultConnectionName(clientID: ClientID, deadline: Duration = .seconds(10)) async throws -> String {
        let result = try await result(of: ServiceCatalog.defaultConnectionName, clientID, deadline)
        guard case .utf8String(let name) = result else { return "" }
        return name
    }

    private func result(
        of method: MethodSignature,
        _ clientID: ClientID,
        _ deadline: Duration
    ) async throws -> RemotingValue? {
        let request = method.request(service: name, clientID: clientID)
        let reply = try await channel.post(request, deadline: deadline, limit: Self.limits.message)
        return try method.results(of: reply, limits: Self.limits).first
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
