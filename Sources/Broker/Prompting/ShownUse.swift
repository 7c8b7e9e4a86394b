// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints

/// The server and the login that a person was shown with the question whether they may be used. A yes is for these alone.
package struct ShownUse: Sendable, Hashable {
    package let endpoint: EndpointID
    /// Foreign text.
    package let name: String
    package let url: ServerURL
    /// The identity that logins of the endpoint are bound to; nil if there is none.
    package let pin: Pin?
    /// nil for a use without a login.
    package let login: Login?

    init(_ endpoint: Endpoint, pin: Pin?, login: Login?) {
        self.endpoint = endpoint.id
        name = endpoint.name
        url = endpoint.url
        self.pin = pin
        self.login = login
    }

    /// Whether a yes to this is one to the other too. When a login was last used, and its password, may differ.
    func isSame(as other: ShownUse) -> Bool {
        // While the vault is closed no pin can be shown. One that shows when it opens makes the use stricter.
        guard endpoint == other.endpoint, name == other.name, url == other.url, pin == nil || pin == other.pin else {
            return false
        }
        switch (login, other.login) {
        case (nil, nil): return true
        case (let login?, let other?): return login.name == other.name && login.isUsed(as: other)
        default: return false
        }
    }
}

extension ConnectionBroker {
    /// What a person is shown before a login is used, at the endpoint that it is for.
    package func shownUse(ofLogin name: String) async throws -> ShownUse {
        let login = try await login(named: name)
        return shownUse(of: try await endpoint(of: login), login)
    }

    /// What a person is shown before an endpoint is used.
    ///
    /// - Parameter name: of a login; nil takes the only one of the endpoint.
    package func shownUse(
        of endpoint: Endpoint,
        login name: String?,
        isAnonymous: Bool = false
    ) async throws -> ShownUse {
        shownUse(of: endpoint, isAnonymous ? nil : try await chooseLogin(name, for: endpoint))
    }

    private func shownUse(of endpoint: Endpoint, _ login: Login?) -> ShownUse {
        ShownUse(endpoint, pin: store.readablePinNow(of: endpoint.id), login: login)
    }

    /// Checks that an endpoint may be used with a login.
    ///
    /// - Parameter agreed: the use that the user has just agreed to. Nil if the user was not asked.
    /// - Throws: `BrokerError.refused`; `changedSinceAgreed` for a yes to another use than this.
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
