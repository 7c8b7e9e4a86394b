// SPDX-License-Identifier: Apache-2.0

import Credentials
package import Endpoints
import Platform
import Registry
import Remoting
import Services

/// Makes the exchanges that show the behaviour of a server in cases that docs/wire.md does not know yet.
struct CaptureRun: Sendable {
    let connector: ServerConnector
    let store: CredentialStore

    /// Makes the exchanges, and returns them without secrets. The pin is verified before anything is sent, as for every
    /// login. A wrong password is sent only if the caller requests it, because a server may lock an account after
    /// several.
    ///
    /// - Parameters:
    ///   - login: nil sends no login.
    ///   - locks: the vault's lock count when the use was permitted.
    /// - Throws: the errors of connecting to the server, also if the permission or the vault is lost in between. Later
    ///   failures are recorded in the exchanges.
    func exchanges(
        with endpoint: Endpoint,
        login: Login?,
        since locks: UInt64,
        triesWrongPassword: Bool
    ) async throws -> [CapturedExchange] {
        let target = try await connector.recordingContact(endpoint.id, isContact: false) {
            try await connector.target(of: endpoint, for: login?.pinned)
        }
        let admission: RemotingChannel.Admission = { [connector, store] in
            guard let login else { return }
            try await connector.checkPermission(login.pinned)
            if login.sessionKey.needsVault { try await store.checkNotLocked(since: locks) }
        }
        let channel = try connector.channel(
            to: target,
            of: endpoint.id,
            for: login?.pinned,
            admission: admission
        )
        // If the caller disconnects, the exchange in progress still ends with a logout, within a minute.
        return try await shielded(on: connector.loop) {
            let capture = ServerCapture(
                channel: channel,
                pool: connector.pool,
                services: endpoint.services,
                admission: admission
            )
            return try await record(capture, login, on: endpoint, triesWrongPassword: triesWrongPassword)
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
                // Release the gate after the login: other sessions of the login need not wait for the rest of the
                // report.
                defer { if let ticket { connector.gate.leave(ticket, Self.outcome(capture.loginResult, of: login)) } }
                // Decrypt the password only now, because the previous steps may have taken long.
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
            if let login { await capture.logOut(clientID) { try await connector.checkPermission(login.pinned) } }
        }
        capture.wipe()
        await capture.channel.close()
        if let login, let result = capture.loginResult {
            store.audit?.note(AuditEntry(.passwordUsed, result, of: login))
        }
        if let failure { throw failure }
        return capture.exchanges
    }

    /// The outcome for callers that waited for the login of a report.
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
            try login.account.request(to: endpoint.services.login, password: password, for: clientID)
        }
    }

    /// Makes a login request with a password of random digits.
    private func wrongRequest(
        of login: Login?,
        to endpoint: Endpoint,
        for clientID: ClientID
    ) throws -> LoginMessage? {
        guard let login else { return nil }
        let password = Array(HexText.encode(try SystemRandom().bytes(16)).utf8)
        return try password.withUnsafeBytes {
            try login.account.request(to: endpoint.services.login, password: $0, for: clientID)
        }
    }
}

/// A message that was sent for a report, and the reply, without secrets.
package struct CapturedExchange: Sendable, Hashable {
    /// The purpose of the request.
    package let step: ExchangeStep
    /// The message with a ClientID of zeros. A login contains only the header, service and method.
    package let request: [UInt8]
    /// The HTTP status; nil if there is no reply.
    package internal(set) var status: Int?
    /// Header lines. Values are included only for headers that are known to be harmless.
    package internal(set) var headers: [String] = []
    /// The inflated reply with a ClientID of zeros; nil if there is no reply or if the body is withheld.
    package internal(set) var reply: [UInt8]?
    /// Observations from before the secrets were removed, and notes about omitted parts.
    package internal(set) var notes: [CaptureNote] = []
    /// The reason why there is no reply.
    package internal(set) var error: String?

    init(_ step: ExchangeStep, request: [UInt8]) {
        self.step = step
        self.request = request
    }
}

extension CaptureNote.Kind {
    init(_ kind: MessageKind) {
        self =
            switch kind {
            case .message: .message
            case .exception: .exception
            case .event: .event
            case .poll: .poll
            case .pollResponse: .pollResponse
            }
    }
}

extension ExchangeStep {
    /// Whether a password was sent.
    var isLogin: Bool { self == .login || self == .wrongPassword }
}
