// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataAbstract
package import Endpoints
import Platform
import Remoting

extension ConnectionBroker {
    /// Makes the exchanges that tell how a server behaves where nobody could say so far (docs/wire.md), and hands them out
    /// without secrets.
    ///
    /// The pin is proved before anything is sent, as for every login. A wrong password goes out only if that is asked for,
    /// because a server may lock an account after some.
    /// - Parameters:
    ///   - name: of a login; nil takes the only one of the endpoint.
    ///   - isAnonymous: sends no login at all.
    /// - Throws: what opening an adapter throws, also where the endpoint takes no adapters, and where the permission or the
    ///   vault is lost on the way; what else goes wrong later is in the exchanges.
    package func capture(
        _ endpoint: Endpoint,
        login name: String?,
        isAnonymous: Bool,
        triesWrongPassword: Bool,
        agreed: ShownUse? = nil
    ) async throws -> [CapturedExchange] {
        // First what no yes would help with.
        try check(.use, of: endpoint, isAgreed: true)
        let locks = await store.locks
        let login = isAnonymous ? nil : try await chooseLogin(name, for: endpoint)
        try check(.use, of: endpoint, for: login, agreed: agreed)
        let target = try await connector.noting(endpoint.id, isContact: false) {
            try await connector.target(of: endpoint, for: login?.binding)
        }
        let admission: RemotingChannel.Admission = { [connector, store] in
            guard let login else { return }
            try await connector.checkPermission(login.binding)
            if login.sessionKey.needsVault { try await store.checkNotLocked(since: locks) }
        }
        let channel = try connector.channel(
            to: target,
            of: endpoint.id,
            for: login?.binding,
            admission: admission
        )
        // A caller who goes leaves no session behind: what was begun is logged out, within a minute.
        return try await shielded(on: connector.loop) {
            let capture = ServerCapture(
                channel: channel,
                pool: self.connector.pool,
                services: endpoint.services,
                admission: admission
            )
            return try await self.record(capture, login, on: endpoint, triesWrongPassword: triesWrongPassword)
        }
    }

    private func record(
        _ made: ServerCapture,
        _ login: Login?,
        on endpoint: Endpoint,
        triesWrongPassword: Bool
    ) async throws -> [CapturedExchange] {
        var capture = made
        let clientID = ClientID()
        var failure: (any Error)?
        do {
            try await capture.expiry()
            let ticket = login.map { connector.gate.enter($0) }
            if let ticket { try await connector.gate.wait(ticket) }
            let request: LoginMessage?
            do {
                // Other sessions of the login do not wait for the rest of the report.
                defer { if let ticket { connector.gate.leave(ticket, Self.outcome(capture.loginResult, of: login)) } }
                // Opened only now: the server may have taken its time so far.
                request = try await self.request(of: login, to: endpoint, for: clientID)
                do {
                    try await capture.logIn(clientID, login: request)
                } catch {
                    request?.wipe()
                    throw error
                }
            }
            defer { request?.wipe() }
            try await capture.session(clientID, login: request)
            if triesWrongPassword, let request {
                let wrongID = ClientID()
                let wrong = try wrongRequest(of: login, to: endpoint, for: wrongID)
                defer { wrong?.wipe() }
                if let wrong { try await capture.wrongPassword(wrongID, login: wrong, known: request) }
            }
        } catch {
            failure = error
            if let login { await capture.logOut(clientID) { try await self.connector.checkPermission(login.binding) } }
        }
        capture.wipe()
        await capture.channel.close()
        if let login, let result = capture.loginResult {
            store.audit?.note(AuditEntry(.passwordUsed, result, of: login))
        }
        if let failure { throw failure }
        return capture.exchanges
    }

    /// What those learn who waited in line for a report's login.
    private static func outcome(_ result: AuditResult?, of login: Login?) -> LoginGate.Outcome {
        switch result {
        case .done: .succeeded
        case .refused:
            .failed(BrokerError.loginRejected(login: login?.name ?? "", reason: "it was refused in a report"))
        case .failed: .failed(BrokerError.protocolFailure(reason: "the server has not answered the login"))
        case nil: .abandoned
        }
    }

    private func request(
        of login: Login?,
        to endpoint: Endpoint,
        for clientID: ClientID
    ) async throws -> LoginMessage? {
        guard let login else { return nil }
        return try await store.withPassword(of: login.id, pin: login.pin) { password in
            try login.request(to: endpoint.services.login, password: password, for: clientID)
        }
    }

    /// A password of random digits.
    private func wrongRequest(
        of login: Login?,
        to endpoint: Endpoint,
        for clientID: ClientID
    ) throws -> LoginMessage? {
        guard let login else { return nil }
        let password = Array(HexText.encode(try SystemRandom().bytes(16)).utf8)
        return try password.withUnsafeBytes {
            try login.request(to: endpoint.services.login, password: $0, for: clientID)
        }
    }
}
