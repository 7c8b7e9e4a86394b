// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import Registry

extension ConnectionBroker {
    /// The identity of an endpoint as it is now. That somebody answers does not end a conflict.
    ///
    /// - Parameter wanted: by what to know it; nil leaves that to the administrator and to what it is pinned to.
    package func identity(of endpoint: Endpoint, by wanted: ServerTrust? = nil) async throws -> ServerIdentity {
        let pinned = await store.readablePin(of: endpoint.id)
        if wanted == .authority, pinned?.authorityHost == nil {
            // Only a question: that nobody vouches for a server is no conflict with what it is to us.
            return try await connector.identity(of: endpoint, by: wanted)
        }
        let isContact = endpoint.url.scheme == .https && endpoint.state != .conflict
        return try await connector.noting(endpoint.id, isContact: isContact) {
            try await connector.identity(of: endpoint, by: wanted, pinned: pinned)
        }
    }

    /// Tries a stored login, also one that the server refused before; once it is accepted, adapters use it again.
    package func test(_ login: Login) async throws -> [LoginStep] {
        let endpoint = try await endpoint(of: login)
        let steps = try await steps(of: login, at: endpoint)
        if let failure = steps.compactMap(\.error).first {
            store.audit?.note(AuditEntry(.loginTested, AuditResult(ofLogin: failure), of: login))
            store.audit?.noteConflict(failure, of: login)
        } else {
            store.audit?.note(AuditEntry(.loginTested, of: login))
        }
        let isAccepted = steps.contains { $0.name == "login" && $0.isOK }
        if isAccepted, let session = sessions.current(login.sessionKey) {
            await session.resume()
            sessions.dropIfUnused(login.sessionKey)
        }
        return steps
    }

    /// Who is in line when another attempt fails, shows that failure and sends nothing.
    private func steps(of login: Login, at endpoint: Endpoint) async throws -> [LoginStep] {
        let ticket = connector.gate.enter(login)
        do {
            try await connector.gate.wait(ticket)
        } catch let error as BrokerError {
            return [.failed("login", error)]
        }
        let steps = await connector.tryLogin(to: endpoint, binding: login.binding, named: login.name) { clientID in
            try await store.withPassword(of: login.id, pin: login.pin) { password in
                try login.request(to: endpoint.services.login, password: password, for: clientID)
            }
        }
        // That the server did not take back the session is no failure of the login.
        let error = steps.first { $0.name != "logout" && !$0.isOK }?.error
        // A caller who has gone says nothing about the login: the next in line tries.
        let isBrokenOff = error != nil && Task.isCancelled
        connector.gate.leave(ticket, isBrokenOff ? .abandoned : LoginGate.Outcome(error))
        return steps
    }

    /// Ends what used a login that is removed.
    package func forget(_ login: LoginID) {
        connector.gate.forget(login)
        for session in sessions.removeAll(where: { $0.login == login }) { retire(session) }
        end(.loginForgotten) { $0.login == login }
        // What was granted was the login as it was.
        for (id, open) in adapters where open.grant?.login == login { end(id, .loginForgotten) }
    }

    /// Has to come right before what `forget` would end: while the caller waited for something, the login may have been
    /// changed or removed, and `forget` has found nothing to end then.
    ///
    /// - Throws: `CredentialError.locked`, or `BrokerError.closed` for one that is not what it was when it was read.
    func checkUnchanged(_ login: Login) throws {
        let now = store.readableLoginNow(login.id)
        guard login.origin == .configured || store.stateNow == .unlocked else { throw CredentialError.locked }
        guard let now, now.isUsed(as: login) else { throw BrokerError.closed }
    }

    /// The endpoint that a login is for.
    package func endpoint(ofLogin name: String) async throws -> Endpoint {
        try await endpoint(of: try await login(named: name))
    }

    func endpoint(of login: Login) async throws(BrokerError) -> Endpoint {
        guard let endpoint = await connector.registry.endpoint(login.endpoint) else {
            throw .unreachable(StateReason(.notListed))
        }
        return endpoint
    }

    /// The login of an adapter: of a grant the one that it was made for, whatever its name is now; of the configuration the
    /// one that has the name now.
    func login(of open: OpenAdapter) async throws -> Login {
        guard let name = open.adapter.login else { throw BrokerError.closed }
        guard let grant = open.grant else { return try await login(named: name) }
        let (logins, missing) = await store.loginsInReach()
        guard let login = logins.first(where: { $0.id == grant.login }) else { throw missing ?? .noSuchLogin(name) }
        return login
    }

    /// The login with this name, or the only one whose name begins so.
    func login(named name: String) async throws(CredentialError) -> Login {
        try await store.loginInReach(named: name)
    }

    func chooseLogin(_ name: String?, for endpoint: Endpoint) async throws -> Login {
        if let name {
            let login = try await login(named: name)
            guard login.endpoint == endpoint.id else {
                throw BrokerError.loginElsewhere(login: login.name, endpoint: login.endpoint)
            }
            return login
        }
        let (logins, missing) = await store.loginsInReach()
        let fitting = logins.filter { $0.endpoint == endpoint.id }
        guard let login = fitting.first else {
            if let missing { throw missing }
            throw BrokerError.loginNeeded(endpoint: endpoint.name)
        }
        guard fitting.count == 1 else {
            throw BrokerError.loginAmbiguous(endpoint: endpoint.name, candidates: fitting.map(\.name))
        }
        return login
    }
}
