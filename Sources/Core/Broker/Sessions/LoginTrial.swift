// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
package import Registry
package import Remoting
package import Services

/// One step of a login test, and its result as text that is safe to show.
package struct LoginStep: Sendable, Hashable {
    /// The step: `pin`, `login` or `logout`.
    package let name: String
    /// Nil if the step succeeded.
    package let error: BrokerError?
    /// The result as a sentence fragment.
    package let detail: String

    /// Whether the step succeeded.
    package var isOK: Bool { error == nil }
}

/// The test of a stored login.
package struct LoginTrial: Sendable {
    /// The steps in order, at least one. The last one may have failed.
    package let steps: [LoginStep]
    /// The strength of the pin of the address that was used.
    package let strength: PinStrength
}

extension ServerConnector {
    /// Finds the pinned server, logs in and logs out. Stops at the first failure, which is then the last step.
    ///
    /// - Parameter request: makes the login message for a ClientID; called only after the address and the permission
    ///   were checked. The server may not have proved its pin then. The channel requires the proof on each connection,
    ///   before it sends the message.
    package func tryLogin(
        to endpoint: Endpoint,
        pinned: PinnedEndpoint,
        named name: String,
        request: (ClientID) async throws -> LoginMessage
    ) async -> [LoginStep] {
        let channel: RemotingChannel
        do {
            let target = try await recordingContact(endpoint.id, isContact: false) {
                try await self.target(of: endpoint, for: pinned)
            }
            channel = try self.channel(to: target, of: endpoint.id, for: pinned)
        } catch {
            return [.failed("pin", error)]
        }
        let steps = await logInAndOut(over: channel, to: endpoint, pinned: pinned, named: name, request: request)
        await channel.close()
        // Over TLS the server proves the pin when the channel connects, which is a part of the login.
        if let error = steps.first?.error, case .identityConflict = error { return [.failed("pin", error)] }
        let proof =
            pinned.alternateOf == nil
            ? "the endpoint has the identity of the login"
            : "reached at \(endpoint.url), which has the identity of this alternate address"
        return [LoginStep(name: "pin", error: nil, detail: proof)] + steps
    }

    private func logInAndOut(
        over channel: RemotingChannel,
        to endpoint: Endpoint,
        pinned: PinnedEndpoint,
        named name: String,
        request: (ClientID) async throws -> LoginMessage
    ) async -> [LoginStep] {
        let clientID = ClientID()
        do {
            // The permission may have been revoked while the server was contacted.
            try await checkPermission(pinned)
            let message = try await request(clientID)
            try await recordingContact(endpoint.id) {
                try await LoginCall(channel: channel, clientID: clientID, pool: pool).logIn(message, named: name)
            }
        } catch {
            return [.failed("login", error)]
        }
        let login = LoginStep(name: "login", error: nil, detail: "the server accepted the login")
        do {
            try await shielded(on: loop) {
                try await LoginService(channel: channel, name: endpoint.services.login).logout(clientID: clientID)
            }
        } catch RemotingError.exception {
            // The exception's text could repeat data of the login, and the session may still exist.
            return [
                login, .failed("logout", BrokerError.protocolFailure(reason: "the server answered with an exception")),
            ]
        } catch {
            return [login, .failed("logout", error)]
        }
        return [login, LoginStep(name: "logout", error: nil, detail: "the session was ended")]
    }
}

extension LoginStep {
    static func failed(_ name: String, _ error: any Error) -> LoginStep {
        let failure =
            switch error {
            case let error as BrokerError: error
            case let error as RemotingError: BrokerError(error)
            case let error as CredentialError: BrokerError.noPassword(error)
            default: BrokerError.protocolFailure(reason: "\(error)")
            }
        return LoginStep(name: name, error: failure, detail: "\(failure)")
    }
}

extension ServerConnector {
    /// Tests a login that is not stored yet, or is stored with other values, and records the use of its password in the
    /// audit log.
    ///
    /// - Parameter lend: lends the password only while the message is made.
    /// - Throws: `BrokerError` if the pin could not be proved or the server refused the login.
    func tryLogin(
        _ login: NewLogin,
        at endpoint: Endpoint,
        audit: AuditLog?,
        lending lend: (@Sendable (UnsafeRawBufferPointer) throws -> LoginMessage) async throws -> LoginMessage
    ) async throws {
        let service = endpoint.services.login
        let steps = await tryLogin(to: endpoint, pinned: login.pinned, named: login.name) { clientID in
            try await lend { password in try login.account.request(to: service, password: password, for: clientID) }
        }
        // A failed logout is no reason to refuse the login.
        let failure = steps.first { $0.name != "logout" && !$0.isOK }?.error
        let result = failure.map { AuditResult(ofLogin: $0) } ?? .done
        audit?.note(AuditEntry(.passwordUsed, result, endpoint: endpoint.id, strength: login.pin.strength))
        if let failure { throw failure }
    }
}

extension ServerConnector {
    /// Tries a stored login, even one that the server refused before, and records the result in the audit log.
    func tryStored(_ login: Login, at endpoint: Endpoint, in store: CredentialStore) async throws -> LoginTrial {
        let (steps, pin) = try await storedSteps(of: login, at: endpoint, in: store)
        if let failure = steps.compactMap(\.error).first {
            store.audit?.note(AuditEntry(.loginTested, AuditResult(ofLogin: failure), of: login, proving: pin))
            store.audit?.noteConflict(failure, of: login, proving: pin)
        } else {
            store.audit?.note(AuditEntry(.loginTested, of: login, proving: pin))
        }
        return LoginTrial(steps: steps, strength: pin.strength)
    }

    /// If another attempt fails while this one waits, its failure is returned and nothing is sent.
    ///
    /// - Returns: also the pin of the address that was used.
    private func storedSteps(
        of login: Login,
        at endpoint: Endpoint,
        in store: CredentialStore
    ) async throws -> (steps: [LoginStep], pin: Pin) {
        let ticket = gate.enter(login)
        do {
            try await gate.wait(ticket)
        } catch let error as BrokerError {
            return ([.failed("login", error)], login.pin)
        }
        let (steps, pin) = await stepsAtFirstReachable(of: login, at: endpoint, in: store)
        // A failed logout is no failure of the login.
        let error = steps.first { $0.name != "logout" && !$0.isOK }?.error
        // A caller that has disconnected says nothing about the login: the next in the queue tries.
        let isBrokenOff = error != nil && Task.isCancelled
        gate.leave(ticket, isBrokenOff ? .abandoned : LoginGate.Outcome(error))
        return (steps, pin)
    }

    private func stepsAtFirstReachable(
        of login: Login,
        at endpoint: Endpoint,
        in store: CredentialStore
    ) async -> (steps: [LoginStep], pin: Pin) {
        var alternates: [PinnedEndpoint] = []
        if login.origin == .vault { alternates = await store.readableAlternates(of: endpoint.id) }
        var place = ServerPlace(endpoint, login.pinned)
        if !alternates.isEmpty {
            do {
                place = try await recordingContact(endpoint.id, isContact: false) {
                    try await firstReachable(ServerPlace.all(of: endpoint, login.pinned, alternates: alternates)).place
                }
            } catch {
                return ([.failed("pin", error)], login.pin)
            }
        }
        let pinned = place.pinned ?? login.pinned
        let steps = await tryLogin(to: place.endpoint, pinned: pinned, named: login.name) { clientID in
            try await store.withPassword(of: login.id, pin: pinned.pin) { password in
                try login.account.request(to: endpoint.services.login, password: password, for: clientID)
            }
        }
        if steps.contains(where: { $0.name == "login" && $0.isOK }) { inUse.note(place) }
        return (steps, pinned.pin)
    }
}
