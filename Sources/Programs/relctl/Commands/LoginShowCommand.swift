// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI

struct LoginShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a login; never its password."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "Login name.", completion: LiveNames.logins)
    var login: String

    func run() throws {
        let login = try StoredLogins.record(login, output)
        let facts = Facts([
            "name": login.name,
            "origin": login.origin.rawValue,
            "endpoint": login.endpointName ?? "\(login.endpoint), gone",
            "user": login.user,
            "domain": login.domain,
            "schema": login.schema,
            "user key": login.userKey,
            "extra keys": login.extraKeys.isEmpty ? nil : login.extraKeys.joined(separator: ", "),
            "password": login.password,
            "command": login.passwordCommand.map(PasswordCommandOption.text),
            "bound to": login.boundTo,
        ])
        output.show(login.json, else: facts.text)
        guard login.commandAgreed == false else { return }
        PasswordCommandOption.noteAgreement(to: login.name, output)
    }
}

extension CredentialsAPI.Login {
    /// Where its password comes from.
    var password: String {
        switch commandAgreed {
        case nil: "stored"
        case true?: "command"
        case false?: "command, not agreed"
        }
    }

    /// The identity that its server must prove.
    var boundTo: String {
        let agreement = verified ? "" : ", not verified"
        let kind: String
        switch strength {
        case .authority: return "CA for \(authority ?? "-")\(agreement)"
        case .tlsKey: kind = "TLS key"
        case .address: kind = "address, plain"
        case .loopback: kind = "this machine"
        }
        return "\(kind) \(pin.prefix(16))\(Style.ofOutput.ellipsis)\(agreement)"
    }
}
