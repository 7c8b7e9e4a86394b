// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import Platform
import Registry
import Remoting

extension ServerConnector {
    /// Returns the current identity of an endpoint. For https it connects, up to the end of the TLS handshake.
    ///
    /// - Parameters:
    ///   - wanted: how the server is identified; nil uses the administrator's entry, then `pinned`, then the key.
    ///   - pinned: the stored pin; nil if there is none.
    /// - Throws: `BrokerError.identityConflict` if the administrator has pinned another identity, or if no trusted
    ///   authority verifies the host although one must; `noAuthority` if none can; `unreachable`.
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
        let shown = Fingerprint(of: identity.pin)
        guard shown == expected else {
            throw BrokerError.identityConflict(StateReason(code: .otherIdentity, shown: shown.text, path: word.file))
        }
        identity.isPinnedByAdministrator = true
        return identity
    }

    /// Like `identity`, and notifies the registry of the result. An answer of the server does not end a conflict.
    func currentIdentity(of endpoint: Endpoint, by wanted: ServerTrust?, pinned: Pin?) async throws -> ServerIdentity {
        if wanted == .ca, pinned?.authorityHost == nil {
            // This is only a query. If no authority verifies the server, that is no conflict with its pinned identity.
            return try await identity(of: endpoint, by: wanted)
        }
        let isContact = endpoint.url.scheme == .https && endpoint.state != .conflict
        return try await recordingContact(endpoint.id, isContact: isContact) {
            try await identity(of: endpoint, by: wanted, pinned: pinned)
        }
    }

    private func observedIdentity(of endpoint: Endpoint, by kind: ServerTrust) async throws -> ServerIdentity {
        // Report an impossible request before contacting a server.
        let authority = kind == .ca ? try endpoint.authority() : nil
        let candidates = try await candidates(for: endpoint)
        guard let first = candidates.first else { throw BrokerError.unreachable(StateReason(code: .noAddress)) }
        let port = endpoint.url.port
        guard endpoint.url.scheme == .https else {
            return ServerIdentity(pin: .plain(first, port: port), address: first, port: port)
        }
        let (address, key) = try await firstProof(of: authority, among: candidates, of: endpoint)
        return ServerIdentity(pin: authority ?? .tls(spkiSHA256: key.bytes), address: address, port: port)
    }

    /// Returns an address where the server proves its pin. A single address is returned without a check, because the
    /// channel requires the proof on every connection. Of several addresses, the first with a proof is returned.
    ///
    /// - Throws: `BrokerError.unreachable`, `identityConflict`.
    func firstThatProves(
        _ pin: Pin,
        among addresses: [IPAddress],
        of endpoint: Endpoint
    ) async throws -> IPAddress {
        guard let first = addresses.first else { throw BrokerError.unreachable(StateReason(code: .noAddress)) }
        guard pin.strength.isEncrypted, addresses.count > 1 else { return first }
        return try await firstProof(of: pin, among: addresses, of: endpoint).address
    }

    /// Tries one address after the other.
    ///
    /// - Throws: the failure of the first address that showed another server, otherwise of the first address.
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
        throw failure ?? .unreachable(StateReason(code: .noAddress))
    }

    /// Connects up to the end of the TLS handshake, in which the server must prove its pin. Without a pin every server
    /// is accepted.
    ///
    /// - Returns: the key that the server showed.
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
            throw .unreachable(StateReason(code: .noConnection, host: "\(address)"))
        }
    }
}

extension Endpoint {
    /// The proof of a pin that the server must give over TLS; nil for a pin of plain HTTP.
    ///
    /// - Throws: `BrokerError.identityConflict` if the pin is damaged, so that no server can prove it.
    func policy(proving pin: Pin) throws(BrokerError) -> TLSPolicy? {
        switch pin {
        case .tls(let digest):
            guard let key = PublicKeyFingerprint(bytes: digest) else {
                throw .identityConflict(StateReason(code: .pinDamaged))
            }
            return TLSPolicy(serverName: url.host.tlsServerName, pin: key)
        case .authority(let host): return TLSPolicy(authorityFor: host)
        case .address, .loopback: return nil
        }
    }

    /// The pin of the server that has a certificate for this endpoint's host.
    ///
    /// - Throws: `BrokerError.noAuthority` for plain HTTP, for a link-local address, and for an address that is only
    ///   announced, because any host on the link could have announced it.
    fileprivate func authority() throws(BrokerError) -> Pin {
        guard url.scheme == .https else { throw .noAuthority(reason: "it speaks plain HTTP") }
        if case .address = url.host, origin == .discovered {
            throw .noAuthority(reason: "it is known by its address alone")
        }
        guard let pin = Pin.authority(of: url.host) else {
            throw .noAuthority(reason: "a link-local address can be another machine on each link")
        }
        return pin
    }

    /// Returns the kind of pin with this fingerprint, if it is this endpoint's.
    fileprivate func trust(of fingerprint: Fingerprint) -> ServerTrust {
        guard let authority = Pin.authority(of: url.host), Fingerprint(of: authority) == fingerprint else {
            return .key
        }
        return .ca
    }
}

extension Pin {
    fileprivate var trust: ServerTrust { authorityHost == nil ? .key : .ca }
}

extension BrokerError {
    /// Whether this error is reported instead of `other`. It is more important to report another server than a failed
    /// connection.
    fileprivate func outweighs(_ other: BrokerError?) -> Bool {
        if case .identityConflict = self { true } else { other == nil }
    }
}

extension ServerHost {
    /// The name for the TLS handshake: a host name, never an address (RFC 6066, section 3).
    fileprivate var tlsServerName: String? {
        if case .name(let name) = self { return name }
        return nil
    }
}
