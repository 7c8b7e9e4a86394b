// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore
package import Remoting

/// The login service of one server.
package struct LoginService: Sendable {
    package static let defaultName = "LoginService"

    /// What a login service has to say is short.
    private static let limits = WireLimits.login

    /// Does work elsewhere than where a login is awaited.
    package typealias Aside = @Sendable (_ work: @escaping @Sendable () throws -> Bool) async throws -> Bool

    private let channel: RemotingChannel
    private let name: String

    package init(channel: RemotingChannel, name: String = Self.defaultName) {
        self.channel = channel
        self.name = name
    }

    /// Sends a request made by `LoginRequest` or `PlainLoginRequest`, whose bytes are overwritten afterwards whatever happens,
    /// as is the reply.
    ///
    /// - Parameter aside: where the reply is read and searched for the password, which takes a while.
    /// - Returns: false if the server refused.
    /// - Throws: `WithheldRefusal` in the place of an exception that shows the password; `RemotingError`,
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

    /// Ends the session: the last word over a channel, which waits for no other call.
    ///
    /// The reply is overwritten: a server may repeat in it what it has got with the login.
    /// - Throws: `RemotingError`, of an exception without its texts; `CancellationError`.
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

    /// The database connections that a MultiDb login can name.
    ///
    /// - Throws: `RemotingError`, `CancellationError`.
    package func connectionNames(clientID: ClientID, deadline: Duration = .seconds(10)) async throws -> [String] {
        let result = try await result(of: ServiceCatalog.connectionNames, clientID, deadline)
        guard case .array(let names) = result else { return [] }
        return (names ?? []).compactMap { if case .utf8String(let name) = $0 { name } else { nil } }
    }

    /// The connection that the server takes where a login names none.
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
    package static let method = "Logout"

    package static func encode(service: String = LoginService.defaultName, clientID: ClientID) -> ByteBuffer {
        RequestMessage.writer(clientID: clientID, service: service, method: method).buffer
    }
}
