// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
import NIOCore
import Platform
import Registry
import Remoting

extension ServerConnector {
    private static let largestAtOnce = 256 << 10
    /// zlib makes at most about a thousand bytes of one.
    private static let largestInflatedAtOnce = 4 << 10

    /// Tells the registry whether the server answered: every use of an endpoint passes here.
    ///
    /// - Parameter isContact: success means that the server has answered.
    func noting<Result: Sendable>(
        _ endpoint: EndpointID,
        isContact: Bool = true,
        _ use: () async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await use()
            if isContact { await registry.note(.reached, for: endpoint) }
            return result
        } catch {
            switch error as? BrokerError ?? (error as? RemotingError).map({ BrokerError($0) }) {
            case .unreachable(let reason): await registry.note(.failed(reason), for: endpoint)
            case .identityConflict(let reason): await registry.note(.conflict(reason), for: endpoint)
            case .loginRejected, .server, .protocolFailure: await registry.note(.reached, for: endpoint)
            default: break
            }
            throw error
        }
    }

    /// Whether to look into a message takes milliseconds, which is for the thread pool.
    static func isLarge(_ message: ByteBuffer) -> Bool {
        var start = message
        let header = try? MessageHeader(from: &start)
        // Its events may be compressed by themselves.
        guard header?.kind != .pollResponse else { return true }
        return message.readableBytes > (header?.isCompressed == true ? largestInflatedAtOnce : largestAtOnce)
    }

    static func isCompressed(_ message: ByteBuffer) -> Bool {
        var start = message
        return (try? MessageHeader(from: &start))?.isCompressed ?? false
    }
}
