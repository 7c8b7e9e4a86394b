// SPDX-License-Identifier: Apache-2.0

import Credentials
import LocalAPI

/// Word of an interface for the state of the vault. Each interface has an enumeration of its own.
protocol VaultStateWord {
    static var absent: Self { get }
    static var sealed: Self { get }
    static var unlocked: Self { get }
    static var locked: Self { get }
}

extension VaultStateWord {
    init(_ state: VaultState) {
        self =
            switch state {
            case .absent: .absent
            case .sealed: .sealed
            case .unlocked: .unlocked
            case .locked: .locked
            }
    }
}

extension ManagerAPI.Status.Vault: VaultStateWord {}
extension CredentialsAPI.Vault.State: VaultStateWord {}
