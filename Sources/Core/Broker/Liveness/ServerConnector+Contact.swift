// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import Platform
import Registry
import Remoting

extension ServerConnector {
    /// Checks whether a server answers at an endpoint's addresses. It connects, for https up to the end of the
    /// handshake. Over plain HTTP it sends nothing, and it never sends a login.
    ///
    /// - Parameters:
    ///   - pin: the pin that the server must prove; nil accepts every server.
    ///   - addresses: the result of `candidates(for:)`.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func contact(
        _ endpoint: Endpoint,
        at addresses: [IPAddress],
        pin: Pin?,
        before deadline: NIODeadline
    ) async throws -> Contact {
        guard !addresses.isEmpty else { return .failed(StateReason(code: .noAddress)) }
        switch pin.map({ endpoint.check($0, among: addresses) }) ?? .connect(addresses) {
        case .conflict(let reason): return .conflict(reason)
        case .refused(let refusal):
            return .conflict(StateReason(code: .otherInterface, detail: "\(BrokerError(refusal))"))
        case .connect(let addresses): return try await firstContact(endpoint, at: addresses, pin: pin, before: deadline)
        }
    }

    /// Tries the addresses in order, each with a share of the remaining time. As for logins, the first address where
    /// the server proves its pin is enough. If there is none, an address that shows another server is a conflict.
    private func firstContact(
        _ endpoint: Endpoint,
        at addresses: [IPAddress],
        pin: Pin?,
        before deadline: NIODeadline
    ) async throws -> Contact {
        var worst: Contact?
        var rest = addresses.prefix(ProbeLimits.addresses)
        while let address = rest.popFirst() {
            let now = NIODeadline.now()
            let share = Duration(deadline - now) / (rest.count + 1)
            let contact = try await contact(endpoint, at: address, pin: pin, before: now + TimeAmount(share))
            switch contact {
            case .reached: return .reached
            case .conflict: worst = contact
            case .failed: worst = worst ?? contact
            }
        }
        return worst ?? .failed(StateReason(code: .noAddress))
    }

    private func contact(
        _ endpoint: Endpoint,
        at address: IPAddress,
        pin: Pin?,
        before deadline: NIODeadline
    ) async throws -> Contact {
        do {
            guard endpoint.url.scheme == .https else {
                let address = try SocketAddress(address, port: endpoint.url.port)
                try await TCPProbe.connect(to: address, on: loop, before: deadline)
                return .reached
            }
            try await handshake(with: endpoint, at: address, proving: pin, before: deadline)
            return .reached
        } catch BrokerError.identityConflict(let reason) {
            try Task.checkCancellation()
            return .conflict(reason)
        } catch {
            try Task.checkCancellation()
            return .failed(Self.reason(error))
        }
    }

    private static func reason(_ error: any Error) -> StateReason {
        switch error as? BrokerError ?? (error as? RemotingError).map({ BrokerError($0) }) {
        case .unreachable(let reason): reason
        case let error?: StateReason(code: .error, detail: "\(error)")
        case nil: StateReason(code: .noConnection)
        }
    }
}

extension Endpoint {
    fileprivate func check(_ pin: Pin, among addresses: [IPAddress]) -> PinCheck {
        PinCheck(pin, scheme: url.scheme, port: url.port, candidates: addresses)
    }
}
