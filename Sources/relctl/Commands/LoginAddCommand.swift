// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform

struct LoginAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Store a login for a server, bound to the server's identity.",
        discussion: """
            Shows who the server is and asks. Without a terminal, --pin FINGERPRINT says what you would have agreed to \
            ('relctl show ENDPOINT' prints it), and plain HTTP needs --allow-plaintext too. The login is tried before \
            it is saved.
            """
    )

    /// The password of the vendor's sample accounts, which are documented in public.
    private static let samplePassword = Array("Relativity".utf8)

    @OptionGroup var json: JSONOption
    @Argument(help: "The id of an endpoint, or a name that only one has.")
    var endpoint: String
    @Option(help: "The name of the login itself; by default USER@ENDPOINT/DOMAIN/SCHEMA.")
    var name: String?
    @Option(help: "The user.")
    var user: String
    @Option(help: "The domain; Relativity servers need one.")
    var domain: String?
    @Option(help: "The schema.")
    var schema: String?
    @Flag(help: "Read the password as one line of standard input.")
    var passwordStdin = false
    @Option(help: "The fingerprint of the server that the login is for.")
    var pin: String?
    @Flag(help: "Permit the password to cross the network unencrypted to this one address.")
    var allowPlaintext = false
    @Flag(help: "Save the login without trying it.")
    var noTest = false

    func run() throws {
        let input = try SecretInput()
        let client = try DaemonClient()
        let record = try EndpointRecord(
            json: try client.call("org.relativityd.Registry.Get", ["endpoint": .string(endpoint)]).object("endpoint")
        )
        try checkVault(client)
        let identity = try IdentityRecord.fetch(record.id, client)
        let isPlaintextAllowed = try agree(to: identity, of: record)
        let password = try input.read(
            "password",
            fromStandardInput: passwordStdin,
            isNew: true,
            maximumBytes: SecretLineReader.maximumPasswordBytes,
            option: "--password-stdin"
        )
        let reply = try password.withBytes { bytes in
            try client.call(
                "org.relativityd.Credentials.AddLogin",
                parameters(record, identity, isPlaintextAllowed),
                secret: bytes
            )
        }
        show(try LoginRecord(json: try reply.object("login")))
        if password.withBytes({ $0.elementsEqual(Self.samplePassword) }) {
            Terminal.writeError("relctl: warning: this is the password of the vendor's samples, which anybody knows\n")
        }
    }

    private func checkVault(_ client: DaemonClient) throws {
        switch try VaultCommand.status(client).state {
        case .unlocked: return
        case .absent: throw Failure(.vaultLocked, "there is no vault to store a login in", hint: "relctl vault init")
        case .sealed, .locked: throw Failure(.vaultLocked, "the vault is locked", hint: "relctl vault unlock")
        }
    }

    /// - Returns: whether the password may cross the network unencrypted.
    private func agree(to identity: IdentityRecord, of record: EndpointRecord) throws -> Bool {
        if let pin {
            let wanted = pin.lowercased().filter { $0 != ":" }
            guard wanted == identity.fingerprint || wanted == "sha256" + identity.fingerprint else {
                throw Failure(
                    .identityConflict,
                    "the server's fingerprint is \(identity.fingerprint), not the one given with --pin",
                    hint: "relctl show '\(Printable(record.id))'"
                )
            }
            guard !identity.isPlain || allowPlaintext || askAboutPlaintext(identity, record) else {
                throw refusal(identity)
            }
            return identity.isPlain
        }
        guard Terminal.inputIsTerminal else {
            throw Failure(
                .usage,
                "without a terminal, --pin says which server the login is for",
                hint:
                    "compare what 'relctl show \(Printable(record.id))' prints with the server's own, and give it with --pin"
            )
        }
        Terminal.writeError(
            Facts([
                "server": record.name,
                "url": record.url,
                "identity": identity.summary,
                "fingerprint": identity.fingerprint,
                "in words": identity.words,
            ]).text
        )
        guard !identity.isPlain || allowPlaintext || askAboutPlaintext(identity, record) else {
            throw refusal(identity)
        }
        guard Question.isYes("Is this the server?") else { throw Failure(.failed, "nothing was saved") }
        return identity.isPlain
    }

    private func askAboutPlaintext(_ identity: IdentityRecord, _ record: EndpointRecord) -> Bool {
        Question.isYes(
            """
            The password and all data would cross the network readable by anyone on it, and nothing proves who answers
            at \(identity.address). Send it unencrypted to this address, on this network only?
            """
        )
    }

    private func refusal(_ identity: IdentityRecord) -> Failure {
        Failure(
            .usage,
            "this server speaks plain HTTP: the password would cross the network unencrypted",
            hint: "use an https address, or permit it for this address with --allow-plaintext"
        )
    }

    private func parameters(_ record: EndpointRecord, _ identity: IdentityRecord, _ plaintext: Bool) -> JSONObject {
        var parameters: JSONObject = [
            "endpoint": .string(record.id),
            "user": .string(user),
            "pin": .string(identity.fingerprint),
            "allowPlaintext": .bool(plaintext),
            "test": .bool(!noTest),
        ]
        parameters["name"] = name.map { .string($0) }
        parameters["domain"] = domain.map { .string($0) }
        parameters["schema"] = schema.map { .string($0) }
        return parameters
    }

    private func show(_ login: LoginRecord) {
        if json.isOn {
            JSONOption.write(.object(login.json))
        } else {
            Terminal.write(Columns(["added", login.name]).text)
        }
    }
}
