// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI

extension LoginCommand {
    /// Prints a login that was saved, and warns of a password that anybody tries first.
    static func show(_ reply: JSONObject, as verb: String, _ output: OutputOptions) throws {
        let object = try reply.object("login")
        try output.tell(object, else: Columns([verb, try LoginRecord(json: object).name]).text)
        try warn(reply)
    }

    static func warn(_ reply: JSONObject) throws {
        guard try reply.optionalBool("samplePassword") == true else { return }
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
        return try client.call("org.relativityd.Credentials.ListLogins").objects("logins")
            .map { try LoginRecord(json: $0) }
            .filter { $0.endpoint == endpoint }
            .map(\.name)
    }
}
