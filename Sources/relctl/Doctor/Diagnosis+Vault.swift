// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI
import Platform

extension Diagnosis {
    /// - Returns: nil where the daemon does not tell.
    static func vault(_ facts: DoctorFacts) -> Finding? {
        guard let vault = facts.vault else { return nil }
        if let anchor = vault.anchor, anchor.isSuspected { return suspected(anchor, vault) }
        if let problem = vault.problem { return broken(vault, problem, facts) }
        switch vault.state {
        case .absent: return .ok("vault", "there is no vault yet: it is made with the first login")
        case .sealed, .locked: return .ok("vault", "the vault is locked: a login needs it open")
        case .unlocked: return .ok("vault", "the vault is unlocked, \(Counted(vault.logins ?? 0, "login"))")
        }
    }

    /// For a way that needs a login out of it. Nil where it is open, and where `vault` tells more.
    static func closedVault(_ facts: DoctorFacts) -> Finding? {
        guard let vault = facts.vault, vault.problem == nil else { return nil }
        switch vault.state {
        case .unlocked: return nil
        case .absent:
            return .fault(
                "vault-closed",
                "there is no vault, so there are no logins",
                seen: "\(ShellWord.quote(vault.path)) is not there",
                .command("relctl vault init")
            )
        case .sealed, .locked:
            return .fault(
                "vault-closed",
                "the vault is locked: its logins cannot be used",
                seen: vault.state == .sealed
                    ? "it was not opened since the daemon started" : "it was locked by hand, by time or by sleep",
                .command("relctl vault unlock")
            )
        }
    }

    private static func suspected(_ anchor: CredentialsAPI.Anchor, _ vault: CredentialsAPI.Vault) -> Finding {
        let generation = anchor.found ?? vault.generation ?? 0
        let known = anchor.known.map { ", and generation \($0) is known" } ?? ""
        return .fault(
            "vault",
            anchor.verdict == .rollbackSuspected
                ? "the vault is an older one than the last that was saved: no login goes out"
                : "the vault is another one than the last that was saved: no login goes out",
            seen: "the generation of \(ShellWord.quote(vault.path)) is \(generation)\(known)",
            .command("relctl vault accept --generation \(generation)")
        )
    }

    private static func broken(_ vault: CredentialsAPI.Vault, _ problem: String, _ facts: DoctorFacts) -> Finding {
        let (path, previous) = (ShellWord.quote(vault.path), vault.path + ".prev")
        let isExplained = files(facts).contains { $0.verdict == .fault }
        switch vault.error.flatMap(DaemonError.Code.init(rawValue:)) {
        case .vaultDamaged:
            let hasPrevious = facts.files.contains { $0.path == previous }
            let aside = ShellWord.quote(vault.path + ".damaged")
            return .fault(
                "vault",
                "the vault's file is damaged: its logins cannot be used",
                seen: problem,
                hasPrevious
                    ? .command(
                        "mv -n \(path) \(aside) && cp -p \(ShellWord.quote(previous)) \(path) && "
                            + "systemctl --user restart relativityd.service"
                    ) : .advice("put a backup in its place: relctl vault restore --replace BACKUP")
            )
        case .formatTooNew:
            return .fault(
                "vault",
                "the vault was written by a later version",
                seen: problem,
                .advice("install that version; relctl version shows this one")
            )
        default:
            return .fault(
                "vault",
                "the vault's file cannot be used",
                seen: problem,
                isExplained ? nil : .advice("see to that; relctl vault status tells when it is right")
            )
        }
    }
}
