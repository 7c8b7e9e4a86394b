// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI

extension VaultCommand {
    static func status(_ client: DaemonClient) throws -> CredentialsAPI.Vault {
        try client.call(CredentialsAPI.GetStatusCall()).vault
    }

    /// Nobody should be asked for a secret that cannot be used.
    @discardableResult
    static func requireUnlocked() throws -> CredentialsAPI.Vault {
        let vault = try status(try DaemonClient())
        try checkReadable(vault)
        switch vault.state {
        case .unlocked: return vault
        case .absent: throw Failure(.vaultLocked, "there is no vault", hint: "relctl vault init")
        case .sealed, .locked:
            throw Failure(.vaultLocked, "the vault is locked", hint: "relctl vault unlock")
        }
    }

    /// Fails with the exit status of what is wrong with the vault's file.
    static func checkReadable(_ vault: CredentialsAPI.Vault) throws {
        guard let problem = vault.problem else { return }
        let status = vault.error.flatMap(DaemonError.Code.init(rawValue:)).map { ExitStatus($0) } ?? .failed
        throw Failure(status, "\(Printable(problem))", hint: "relctl vault status")
    }

    /// Prints the vault.
    static func show(_ vault: CredentialsAPI.Vault, _ output: OutputOptions) {
        output.show(vault.json, else: text(vault))
    }

    /// Prints the vault that a method has changed.
    ///
    /// - Parameter note: a part of the work that the daemon could not do.
    static func tell(_ vault: CredentialsAPI.Vault, note: String? = nil, _ output: OutputOptions) {
        output.tell(vault.json, else: text(vault))
        if let note { Terminal.writeError("relctl: warning: \(Printable(note))\n") }
    }

    /// As `tell`; a vault that may only be read is a failure too.
    static func tellUnlocked(_ vault: CredentialsAPI.Vault, note: String? = nil, _ output: OutputOptions) throws {
        tell(vault, note: note, output)
        guard let anchor = vault.anchor, anchor.isSuspected else { return }
        throw Failure(
            .vaultDegraded,
            "the vault is read-only, and no login goes out: \(text(anchor)); put the right file back, or accept this one",
            hint: acceptance(vault)
        )
    }

    private static func acceptance(_ vault: CredentialsAPI.Vault) -> Hint {
        "relctl vault accept --generation \(vault.anchor?.found ?? vault.generation ?? 0)"
    }

    private static func text(_ anchor: CredentialsAPI.Anchor) -> String {
        let known = anchor.known.map { "generation \($0)" } ?? "another one"
        return switch anchor.verdict {
        case .unanchored: "unanchored: nothing was known to hold the file against when it was opened"
        case .current, .newer: "\(known) is known in \(anchor.places.joined(separator: " and "))"
        case .rollbackSuspected: "rollback suspected: \(known) is known, and the file is older"
        case .forkSuspected: "fork suspected: the file does not descend from the one that is known"
        }
    }

    private static func text(_ vault: CredentialsAPI.Vault) -> String {
        let notes = vault.anchor?.notes.map { "note: \(Printable($0))\n" } ?? []
        return facts(vault).text + notes.joined()
    }

    private static func facts(_ vault: CredentialsAPI.Vault) -> Facts {
        let slots = vault.slots.map { "\($0.kind) \($0.name) (\($0.protection), made \(Day($0.created)))" }
        let weakest = vault.slots.first { $0.id == vault.weakestSlot }
        return Facts([
            "vault": vault.anchor?.isSuspected == true ? "\(vault.state.rawValue), degraded" : vault.state.rawValue,
            "file": vault.path,
            "generation": vault.generation.map { "\($0)" },
            "opened by": slots.isEmpty ? nil : slots.joined(separator: ", "),
            "as weak as": weakest.map { "slot \($0.name), \($0.kind): \($0.strength)" },
            "anchor": vault.anchor.map(text),
            "logins": vault.logins.map { "\($0)" },
            "locks in": vault.locksInSeconds.map { "\(PlainSpan(seconds: $0))" },
            "memory": vault.memory,
            "memory note": vault.memoryNote,
            "problem": vault.problem,
            "next": vault.problem == nil ? next(vault) : nil,
        ])
    }

    private static func next(_ vault: CredentialsAPI.Vault) -> String? {
        switch vault.state {
        case .absent: "relctl vault init"
        case .sealed, .locked: "relctl vault unlock"
        case .unlocked: vault.anchor?.isSuspected == true ? acceptance(vault).command : nil
        }
    }
}
