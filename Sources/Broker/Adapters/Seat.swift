// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints

/// An adapter's place in a session, and the way there.
struct Seat {
    let key: SharedSessions<ServerSession>.Key
    /// What sessions of the login are shared under, also where this is none of them.
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
