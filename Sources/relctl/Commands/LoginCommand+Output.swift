// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI

extension LoginCommand {
    /// Prints a login that was saved, and warns of a password that anybody tries first.
    static func show(_ login: CredentialsAPI.Login, samplePassword: Bool, as verb: String, _ output: OutputOptions) {
        output.tell(login.json, else: Columns([verb, login.name]).text)
        warn(samplePassword: samplePassword)
    }

    static func warn(samplePassword: Bool) {
        guard samplePassword else { return }
        Terminal.writeError("relctl: warning: this is the password of the vendor's samples, which anybody knows\n")
    }

    /// Says what to do about a vault that is not open, before anybody types a password.
    static func checkVault(_ client: DaemonClient) throws {
        let vault = try VaultCommand.status(client)
        try VaultCommand.checkReadable(vault)
        switch vault.state {
        case .unlocked: return
        case .absent: throw Failure(.vaultLocked, "there is no vault to store a login in", hint: "relctl vault init")
        case .sealed, .locked: throw Failure(.vaultLocked, "the vault is locked", hint: "relctl vault unlock")
        }
    }

    /// The names of the logins of an endpoint; nil while the vault is not open, since nobody can tell then.
    static func names(of endpoint: String, _ client: DaemonClient) throws -> [String]? {
        guard try VaultCommand.status(client).state == .unlocked else { return nil }
        return try client.call(CredentialsAPI.ListLoginsCall()).logins
            .filter { $0.endpoint == endpoint }
            .map(\.name)
    }
}
