// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import EventLoops
import Glibc
import NIOPosix
import Platform
package import Registry

/// The endpoint and the login of a use, and what chose the login.
package struct ChosenUse: Sendable, Hashable {
    /// The endpoint.
    package let endpoint: Endpoint
    /// Nil for an anonymous use, as `chooser` is.
    package let login: Login?
    /// What chose the login.
    package let chooser: LoginChooser?
}

/// Finds the login and the endpoint of a request, and decides whether they may be used now.
///
/// Use it on the broker's event loop only, because a decision reads the vault's state without a suspension.
struct LoginAccess: Sendable {
    let store: CredentialStore
    let registry: EndpointRegistry
    /// The state directory, with the default login of all endpoints; nil for no default.
    let state: String?
    let pool: NIOThreadPool

    // MARK: Finding

    /// - Throws: `BrokerError.unreachable` if the endpoint is not in the list.
    func endpoint(of login: Login) async throws(BrokerError) -> Endpoint {
        guard let endpoint = await registry.endpoint(login.endpoint) else {
            throw .unreachable(StateReason(code: .notListed))
        }
        return endpoint
    }

    /// Returns the login with this name, or the only one whose name begins with it.
    func login(named name: String) async throws(CredentialError) -> Login {
        try await store.loginInReach(named: name)
    }

    /// Finds the endpoint of a use, and chooses the login.
    ///
    /// - Throws: the errors of `LoginRule.choice`; `RegistryError`.
    func choose(_ use: NamedUse) async throws -> ChosenUse {
        if use.isAnonymous, let place = use.place {
            let endpoint = try LoginRule.anonymousEndpoint(place) { try registry.findNow($0) }
            return ChosenUse(endpoint: endpoint, login: nil, chooser: nil)
        }
        let standing = await readDefault()
        let (logins, missing) = await store.loginsInReach()
        let rule = LoginRule(
            logins: logins.map { LoginRule.Known(name: $0.name, endpoint: $0.endpoint) },
            missing: missing,
            standing: standing
        )
        let choice = try rule.choice(use) { try registry.findNow($0) }
        let login = logins.first { $0.name == choice.login.name && $0.endpoint == choice.login.endpoint }
        return ChosenUse(endpoint: choice.endpoint, login: login, chooser: choice.chooser)
    }

    /// The default login of all endpoints; nil if there is none, or if its file cannot be read.
    private func readDefault() async -> DefaultLogin? {
        guard let state else { return nil }
        return try? await pool.perform { try DefaultLogin.read(in: state) }
    }

    /// Finds the endpoint of a use, also if no login can be chosen.
    func place(of use: NamedUse) async throws -> Endpoint {
        do {
            return try await choose(use).endpoint
        } catch {
            guard let place = use.place, let endpoint = try? await registry.find(place) else { throw error }
            return endpoint
        }
    }

    /// The values that the user is shown before an endpoint is used.
    func shownUse(of endpoint: Endpoint, _ login: Login?) -> ShownUse {
        ShownUse(endpoint, pin: store.readablePinNow(of: endpoint.id), login: login)
    }

    // MARK: Deciding

    /// Checks that the login has not changed since it was read. Call it immediately before a step whose result
    /// `ConnectionBroker.forget` would end. While the caller was suspended, the login may have been changed or removed,
    /// and `forget` found nothing to end then.
    ///
    /// - Throws: `CredentialError.locked`; `BrokerError.closed` if the login has changed.
    func checkUnchanged(_ login: Login) throws {
        let now = store.readableLoginNow(login.id)
        guard login.origin == .configured || store.stateNow == .unlocked else { throw CredentialError.locked }
        guard let now, now.isUsed(as: login) else { throw BrokerError.closed }
    }

    /// - Parameter isAgreed: whether the user has just approved the use.
    /// - Throws: `BrokerError.refused`
    func check(_ scope: MethodScope, of endpoint: Endpoint, isAgreed: Bool) throws(BrokerError) {
        let access = Access(
            peer: nil,
            user: geteuid(),
            route: .main,
            action: .method(scope),
            vault: store.stateNow,
            constraints: endpoint.constraints,
            isAgreed: isAgreed
        )
        if let refusal = access.refusal { throw .refused(refusal) }
    }

    /// Checks that an endpoint may be used with a login.
    ///
    /// - Parameter agreed: the use that the user has just approved; nil if the user was not asked.
    /// - Throws: `BrokerError.refused`; `changedSinceAgreed` if the user approved a different use.
    func check(
        _ scope: MethodScope,
        of endpoint: Endpoint,
        for login: Login?,
        agreed: ShownUse?
    ) throws(BrokerError) {
        let isAgreed = agreed?.isSame(as: shownUse(of: endpoint, login)) ?? false
        do throws(BrokerError) {
            try check(scope, of: endpoint, isAgreed: isAgreed)
        } catch .refused(.notAgreed) where agreed != nil {
            throw .changedSinceAgreed
        }
    }
}
