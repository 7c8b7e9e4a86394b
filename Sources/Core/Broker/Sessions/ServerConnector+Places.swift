// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import NIOCore
import Platform
import Registry
import Remoting

extension ServerConnector {
    /// Returns the first of a server's addresses at which a connection is possible. Each but the last is tried by a
    /// connection of its own, which is closed again before any request: a server that has received a byte of a request is
    /// never replaced by another one.
    ///
    /// - Throws: `BrokerError.identityConflict`, and every other failure that is not a missing connection, of the first
    ///   address that has one; otherwise the failure of the endpoint's own address.
    func firstReachable(_ places: [ServerPlace]) async throws -> (place: ServerPlace, target: RemotingTarget) {
        var failure: (any Error)?
        for (number, place) in places.enumerated() {
            do {
                let target = try await self.target(of: place.endpoint, for: place.pinned)
                if number < places.count - 1 { try await tryConnecting(to: target, place) }
                return (place, target)
            } catch {
                guard Self.isPassedOver(error, at: place) else { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? BrokerError.unreachable(StateReason(code: .noAddress))
    }

    /// Connects without a request; over TLS the server must prove its identity.
    func tryConnecting(to target: RemotingTarget, _ place: ServerPlace) async throws {
        guard let pinned = place.pinned, pinned.pin.strength.isEncrypted else {
            return try await TCPProbe.connect(to: target.address, on: loop)
        }
        let address = target.address.withSockAddr { pointer, size in
            IPAddress(socketAddress: UnsafeRawBufferPointer(start: pointer, count: size))
        }
        guard let address else { throw BrokerError.unreachable(StateReason(code: .noAddress)) }
        try await handshake(with: place.endpoint.named(pinned.agreedHost), at: address, proving: pinned.pin)
    }

    /// Whether the next address is tried. Another identity, a server that does not speak as expected and a missing
    /// permission for the endpoint's own address are reported instead.
    private static func isPassedOver(_ error: any Error, at place: ServerPlace) -> Bool {
        switch error as? BrokerError ?? (error as? RemotingError).map({ BrokerError($0) }) {
        case .unreachable(let reason): reason.code.isMissingConnection
        // A permission for plain HTTP that holds on another network does not stop an address after it.
        case .plaintextNotAllowed: place.isAlternate
        default: false
        }
    }
}

extension StateReason.Code {
    /// Whether there was no connection, so that nothing was sent.
    fileprivate var isMissingConnection: Bool {
        switch self {
        case .connectError, .connectTimeout, .noConnection, .noAnswer, .noAddress, .addressRefused, .noInterface,
            .lookUpFailed, .lookUpTimeout, .noListener:
            true
        case .error, .closed, .brokenOff, .spokeFirst, .tlsFailed, .noKey, .overloaded, .notListed, .vanished,
            .nameTaken, .otherUser, .otherKey, .otherIdentity, .notVouched, .tlsGone, .tlsNow, .otherPlace,
            .otherInterface, .pinDamaged:
            false
        }
    }
}
