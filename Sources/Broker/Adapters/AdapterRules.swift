// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Glibc

/// The rules by which an adapter answers, forwards or refuses the messages of its tools.
struct AdapterRules: Sendable, Hashable {
    private static let user = geteuid()

    /// The endpoint's login service, in addition to the usual names.
    let loginService: String
    /// Nil for an adapter without a login.
    let login: ToolLogin?
    /// Whether the adapter's login is stored in the vault.
    var needsVault = false
    var route = AccessRoute.adapter(sharesSession: true)
    var constraints = AccessConstraints()

    /// - Throws: `BrokerError.refused`, or `CredentialError.locked`.
    func check(_ action: AccessAction, vault: VaultState) throws {
        let access = Access(
            peer: nil,
            user: Self.user,
            route: route,
            action: action,
            vault: vault,
            needsVault: needsVault,
            constraints: constraints
        )
        switch access.refusal {
        case nil: break
        case .vaultNotOpen: throw CredentialError.locked
        case let refusal?: throw BrokerError.refused(refusal)
        }
    }
}
