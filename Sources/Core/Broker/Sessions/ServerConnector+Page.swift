// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import NIOCore
import Registry
import Remoting
import Services

/// A server's reply to a GET of its path: a description of its services (RODL), or any other page.
struct ServerPage: Sendable {
    /// The HTTP status.
    let status: Int
    /// Empty for a redirect.
    let body: ByteBuffer
}

extension ServerConnector {
    /// Maximum bytes of a page.
    static let pageBytes = 1 << 20
    private static let pageDeadline = Duration.seconds(30)
    private static let probeDeadline = Duration.seconds(5)

    /// Requests a path of the server with GET over a separate connection. Neither a login nor a ClientID is sent, but the
    /// server must prove the same identity, and have the same permission, as for calls with the login.
    ///
    /// - Parameters:
    ///   - login: nil accepts any server at the endpoint's address.
    ///   - path: those that are not the server's own have smaller limits.
    ///   - used: the address that a session uses; nil for the endpoint's own.
    /// - Throws: `BrokerError`; `RemotingError.tooLarge`.
    func page(
        of id: EndpointID,
        for login: PinnedEndpoint?,
        at path: ServerPath,
        of used: ServerPlace? = nil
    ) async throws -> ServerPage {
        guard let endpoint = await registry.endpoint(id) else {
            throw BrokerError.unreachable(StateReason(code: .notListed))
        }
        do {
            let alternate = used.flatMap { $0.isAlternate ? $0 : nil }
            let place = alternate ?? ServerPlace(endpoint, login)
            let target = try await recordingContact(id, isContact: false) {
                try await self.target(of: place.endpoint, for: place.pinned)
            }
            let connection = try channel(to: target, of: id, for: place.pinned)
            defer { loop.execute(for: connection) { $0.close() } }
            return try await recordingContact(id) {
                let isOwn = path == .own
                let reply = try await connection.get(
                    isOwn ? nil : path.rawValue,
                    deadline: isOwn ? Self.pageDeadline : Self.probeDeadline,
                    limit: isOwn ? Self.pageBytes : ServerPath.maximumBytes
                )
                return ServerPage(status: reply.status, body: reply.body)
            }
        } catch RemotingError.redirected(let status, _) {
            // Without the address: no program of this machine should follow it.
            return ServerPage(status: status, body: ByteBuffer())
        } catch RemotingError.tooLarge(let limit) {
            throw RemotingError.tooLarge(limit: limit)
        } catch let error as RemotingError {
            throw BrokerError(error)
        }
    }
}
