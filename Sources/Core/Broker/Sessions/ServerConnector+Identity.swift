// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import Platform
import Remoting

extension ServerConnector {
    /// The identity of an endpoint as it is now. For https it connects, as far as the TLS handshake.
    ///
    /// - Parameters:
    ///   - wanted: by what to know it; nil leaves that to the administrator, and then to `pinned`.
    ///   - pinned: what it is pinned to.
    /// - Throws: `BrokerError.identityConflict` if the administrator says that it is another one, or no trusted authority
    ///   vouches for it where one has to; `noAuthority` where none can.
    func identity(
        of endpoint: Endpoint,
        by wanted: ServerTrust? = nil,
        pinned: Pin? = nil
    ) async throws -> ServerIdentity {
        let word = trust[endpoint.id]
        let kind = wanted ?? word?.fingerprint.map { endpoint.trust(of: $0) } ?? pinned?.trust ?? .key
        var identity = try await observedIdentity(of: endpoint, by: kind)
        guard let word else { return identity }
        identity.isPlaintextPermitted = word.allowsPlaintext
        guard let expected = word.fingerprint else { return identity }
        let shown = try Fingerprint(of: identity.pin)
        guard shown == expected else {
            throw BrokerError.identityConflict(StateReason(.otherIdentity, shown: shown.text, path: word.file))
        }
        identity.isVouchedFor = true
        return identity
    }

    private func observedIdentity(of endpoint: Endpoint, by kind: ServerTrust) async throws -> ServerIdentity {
        // What cannot be is told before anybody is asked.
        let authority = kind == .authority ? try endpoint.authority() : nil
        let candidates = try await candidates(for: endpoint)
        guard let first = candidates.first else { throw BrokerError.unreachable(StateReason(.noAddress)) }
        let port = endpoint.url.port
        guard endpoint.url.scheme == .https else {
            return ServerIdentity(pin: .plain(first, port: port), address: first, port: port)
        }
        let (address, key) = try await firstProof(of: authority, among: candidates, of: endpoint)
        return ServerIdentity(pin: authority ?? .tls(spkiSHA256: key.bytes), address: address, port: port)
    }

    /// One address is taken as it is, since the channel has the server prove itself on every connection. Of several the
    /// first is taken where it does.
    func firstThatProves(
        _ pin: Pin,
        among addresses: [IPAddress],
        of endpoint: Endpoint
    ) async throws -> IPAddress {
        guard let first = addresses.first else { throw BrokerError.unreachable(StateReason(.noAddress)) }
        guard pin.strength.isEncrypted, addresses.count > 1 else { return first }
        return try await firstProof(of: pin, among: addresses, of: endpoint).address
    }

    /// Asks one address after the other.
    ///
    /// - Throws: what stood in the way: at the first address that showed another server, or else at the first of all.
    private func firstProof(
        of pin: Pin?,
        among addresses: [IPAddress],
        of endpoint: Endpoint
    ) async throws(BrokerError) -> (address: IPAddress, key: PublicKeyFingerprint) {
        var failure: BrokerError?
        for address in addresses {
            do throws(BrokerError) {
                return (address, try await handshake(with: endpoint, at: address, proving: pin))
            } catch {
                failure = error.outweighs(failure) ? error : failure
            }
        }
        throw failure ?? .unreachable(StateReason(.noAddress))
    }

    /// Connects as far as the TLS handshake, in which the server proves its pin; without one any will do.
    ///
    /// - Returns: the key that it showed.
    /// - Throws: `BrokerError.identityConflict`, `unreachable`.
    @discardableResult
    func handshake(
        with endpoint: Endpoint,
        at address: IPAddress,
        proving pin: Pin?,
        before deadline: NIODeadline = .distantFuture
    ) async throws(BrokerError) -> PublicKeyFingerprint {
        let policy = try pin.flatMap { pin throws(BrokerError) in try endpoint.policy(proving: pin) }
        do {
            return try await TLSProbe.observe(
                address: try SocketAddress(address, port: endpoint.url.port),
                serverName: policy?.serverName ?? endpoint.url.host.tlsServerName,
                proof: policy?.proof,
                verifier: verifier,
                on: loop,
                deadline: Self.connectTimeout,
                before: deadline
            )
        } catch let error as RemotingError {
            throw BrokerError(error)
        } catch {
            throw .unreachable(StateReason(.noConnection, host: "\(address)"))
        }
    }
}

extension Endpoint {
    /// How the server has to prove a pin over TLS; nil for one of plain HTTP.
    ///
    /// - Throws: `BrokerError.identityConflict` for a pin that nothing can prove.
    func policy(proving pin: Pin) throws(BrokerError) -> TLSPolicy? {
        switch pin {
        case .tls(let digest):
            guard let key = PublicKeyFingerprint(bytes: digest) else {
                throw .identityConflict(StateReason(.pinDamaged))
            }
            return TLSPolicy(serverName: url.host.tlsServerName, pin: key)
        case .authority(let host): return TLSPolicy(authorityFor: host)
        case .address, .loopback: return nil
        }
    }

    /// The pin by which an authority vouches for this endpoint.
    ///
    /// - Throws: `BrokerError.noAuthority` where nobody has said which host it is: an announced address is nobody's word.
    fileprivate func authority() throws(BrokerError) -> Pin {
        guard url.scheme == .https else { throw .noAuthority(reason: "it speaks plain HTTP") }
        if case .address = url.host, origin == .discovered {
            throw .noAuthority(reason: "it is known by its address alone")
        }
        guard let pin = Pin.authority(of: url.host) else {
            throw .noAuthority(reason: "a link-local address is another machine's on every link")
        }
        return pin
    }

    /// What a fingerprint stands for, if it is this endpoint's.
    fileprivate func trust(of fingerprint: Fingerprint) -> ServerTrust {
        guard let authority = Pin.authority(of: url.host), (try? Fingerprint(of: authority)) == fingerprint else {
            return .key
        }
        return .authority
    }
}

extension Pin {
    fileprivate var trust: ServerTrust { authorityHost == nil ? .key : .authority }
}

extension BrokerError {
    /// Another server is worth more to know of than none.
    fileprivate func outweighs(_ other: BrokerError?) -> Bool {
        if case .identityConflict = self { true } else { other == nil }
    }
}

extension ServerHost {
    /// What TLS may name in its handshake: a host name, never an address (RFC 6066, section 3).
    fileprivate var tlsServerName: String? {
        if case .name(let name) = self { return name }
        return nil
    }
}
