// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import NIOCore

/// Queries the servers in turn, for two rounds, until one answers. With three servers that do not respond, a query
/// takes at most 36 seconds.
struct DNSClient: Sendable {
    private static let rounds = 2

    let loop: any EventLoop

    /// Fails with a `DNSError` only: the last one that is not `silence`, if any.
    func ask(_ question: DNSQuestion, of servers: [AddressAndPort]) -> EventLoopFuture<DNSAnswer> {
        let attempts = Array(repeatElement(servers, count: Self.rounds).joined())
        return ask(question, attempts[...], error: servers.isEmpty ? .noServer : .silence)
    }

    private func ask(
        _ question: DNSQuestion,
        _ attempts: ArraySlice<AddressAndPort>,
        error: DNSError
    ) -> EventLoopFuture<DNSAnswer> {
        guard let server = attempts.first else { return loop.makeFailedFuture(error) }
        return reply(to: question, from: server)
            .flatMapThrowing { try DNSAnswer($0, to: question) }
            .flatMapError { failure in
                let failure = failure as? DNSError ?? .silence
                return ask(question, attempts.dropFirst(), error: failure == .silence ? error : failure)
            }
    }

    private func reply(to question: DNSQuestion, from server: AddressAndPort) -> EventLoopFuture<DNSReply> {
        let attempt = DNSAttempt(question: question, server: server, loop: loop)
        return attempt.start(over: .datagram).flatMap { reply in
            reply.isTruncated ? attempt.start(over: .stream) : loop.makeSucceededFuture(reply)
        }
    }
}
