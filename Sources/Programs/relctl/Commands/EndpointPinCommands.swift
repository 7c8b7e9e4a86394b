// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform

struct EndpointPinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Confirm and pin a server's identity before adding a login.",
        discussion:
            "Logins that are added later are bound to this identity. Without a terminal, --pin FINGERPRINT is required."
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var agreement: ServerAgreement
    @Argument(help: "Endpoint ID or unique name.", completion: LiveNames.endpoints)
    var endpoint: String

    func run() throws {
        let client = try output.client("fetching the server's identity")
        try CredentialsAPI.Vault.requireUnlocked(client)
        let record = try RegistryAPI.Endpoint.fetch(endpoint, client)
        let identity = try agreement.identity(of: record, client)
        try agreement.obtain(for: identity, of: record, asking: "Is this the server?")
        let reply = try output.client().call(
            CredentialsAPI.PinEndpointCall(
                endpoint: record.id,
                pin: identity.fingerprint,
                trust: identity.trust,
                allowPlaintext: identity.isPlain
            ),
            within: DaemonClient.slow
        )
        reply.pin.show(as: "pinned", output)
    }
}

struct EndpointRepinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repin",
        abstract: "Confirm the new identity of a server that has changed.",
        discussion: """
            Shows the old and the new identity and asks. Without a terminal, --pin FINGERPRINT must give the new one. \
            The server's logins are bound to the new identity, and their sessions end. --trust changes the kind of \
            identity.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var agreement: ServerAgreement
    @Argument(help: "Endpoint ID or unique name.", completion: LiveNames.endpoints)
    var endpoint: String

    func run() throws {
        let client = try output.client("fetching the server's identity")
        try CredentialsAPI.Vault.requireUnlocked(client)
        let record = try RegistryAPI.Endpoint.fetch(endpoint, client)
        guard let old = try CredentialsAPI.Pin.fetch(record.id, client) else {
            throw Failure(
                .notFound,
                "the endpoint is not pinned",
                hint: "relctl endpoint pin \(record.id)"
            )
        }
        let identity = try identity(of: record, after: old, client)
        Terminal.writeError(
            Facts([
                "was": old.fingerprint,
                "certificate for": old.authority,
                "in words": old.words,
                "logins": old.logins.isEmpty ? nil : old.logins.joined(separator: ", "),
                "is now": identity.fingerprint == old.fingerprint ? "the same" : identity.fingerprint,
            ]).text
        )
        try agreement.obtain(
            for: identity,
            of: record,
            asking: identity.fingerprint == old.fingerprint
                ? "Is this the server, and may it receive the passwords of its logins?"
                : "Has this server really changed, and may it receive the passwords of its logins?"
        )
        let reply = try output.client().call(
            CredentialsAPI.RepinEndpointCall(
                endpoint: record.id,
                pin: identity.fingerprint,
                trust: identity.trust,
                allowPlaintext: identity.isPlain
            ),
            within: DaemonClient.slow
        )
        reply.pin.show(as: "repinned", output)
    }

    /// The server's current identity. If no authority verifies its certificate any longer, the hint proposes its key.
    private func identity(
        of record: RegistryAPI.Endpoint,
        after old: CredentialsAPI.Pin,
        _ client: DaemonClient
    ) throws -> RegistryAPI.Identity {
        do {
            return try agreement.identity(of: record, client)
        } catch let error as DaemonError
            where error.code == .identityConflict && old.authority != nil && agreement.trust.trust == nil
        {
            throw Failure(
                .identityConflict,
                error.message,
                hint: "relctl endpoint repin \(record.id) --trust key"
            )
        }
    }
}

struct EndpointForgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Remove the pinned identity of a server.",
        discussion: "Refused while logins are bound to the identity, unless --logins is given."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "Endpoint ID or unique name.", completion: LiveNames.endpoints)
    var endpoint: String
    @Flag(help: "Also remove the logins that are bound to it.")
    var logins = false
    @OptionGroup var yes: YesOption

    func run() throws {
        if logins {
            try yes.confirmRemoval("Remove the logins of this server? Older vault backups still contain them.")
        }
        let reply = try output.client().call(
            CredentialsAPI.ForgetPinCall(endpoint: endpoint, logins: logins),
            within: .seconds(30)
        )
        let removed = reply.logins
        output.report(reply.json, else: removed.map { Columns(["removed", $0]).text }.joined())
        for login in removed { DefaultLogin.follow(login, output) }
    }
}
