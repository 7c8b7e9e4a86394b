// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints

/// An adapter's lease on a session: the session, the keys that it is shared under, its target, and the rules for
/// calls.
struct Seat {
    let key: SharedSessions<ServerSession>.Key
    /// The key under which sessions of the login are shared, even if this session is not.
    let sharedKey: SharedSessions<ServerSession>.Key
    let session: ServerSession
    let target: AdapterTarget
    let rules: AdapterRules

    init(
        at endpoint: Endpoint,
        login: Login?,
        key: SharedSessions<ServerSession>.Key,
        sharedKey: SharedSessions<ServerSession>.Key,
        session: ServerSession
    ) {
        self.key = key
        self.sharedKey = sharedKey
        self.session = session
        target = AdapterTarget(endpoint, login)
        rules = AdapterRules(
            loginService: endpoint.services.login,
            login: login.map { ToolLogin($0) },
            needsVault: key.needsVault,
            route: .adapter(sharesSession: !key.isOwn)
        )
    }
}
