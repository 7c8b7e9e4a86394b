// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import LocalAPI
import Platform

extension Diagnosis {
    /// Recreates systemd's socket, and starts the daemon again on the next connection.
    static let restart = "systemctl --user restart relativityd.socket"

    static func daemon(_ facts: DoctorFacts) -> Finding {
        let path = ShellWord.quote(facts.place.path)
        switch facts.daemon {
        case .answers(let status): return version(status)
        case .silent:
            let restarting = "systemctl --user restart relativityd.service"
            return .fault(
                "daemon",
                facts.place.stopped == nil ? "relativityd hangs" : "relativityd is stopped by a signal",
                seen: "no answer on \(path) within 2 seconds",
                .command(facts.place.stopped.map { "kill -CONT \($0)" } ?? restarting)
            )
        case .failed, .unreachable:
            return astray(facts) ?? (unreachable(facts, path) ?? other(facts, path))
        }
    }

    private static func version(_ status: ManagerAPI.Status) -> Finding {
        let version = Printable(status.version)
        guard status.version != ProjectVersion.text else {
            return .ok("daemon", "relativityd \(version) answers, pid \(status.pid)")
        }
        return .warning(
            "daemon",
            "relativityd \(version) runs, and relctl is \(ProjectVersion.text)",
            seen: "pid \(status.pid), which was started before the other version was installed",
            .command("systemctl --user restart relativityd.service")
        )
    }

    /// The finding that RELATIVITYD_SOCKET names another socket than that of a running daemon.
    private static func astray(_ facts: DoctorFacts) -> Finding? {
        guard let usual = facts.place.usual, usual.listens else { return nil }
        return .fault(
            "daemon",
            "no relativityd listens on the socket in \(SocketPath.environmentVariable), but one on the usual socket",
            seen:
                "it is set to \(ShellWord.quote(facts.place.path)); a process listens on \(ShellWord.quote(usual.path))",
            .command("unset \(SocketPath.environmentVariable)")
        )
    }

    private static func unreachable(_ facts: DoctorFacts, _ path: String) -> Finding? {
        guard case .unreachable(let code) = facts.daemon else { return nil }
        guard code == ENOENT || code == ECONNREFUSED else { return denied(facts, code, path) }
        let seen = code == ENOENT ? "\(path) does not exist" : "no process listens on \(path)"
        if facts.place.isClaimed {
            return .fault(
                "daemon",
                "relativityd runs, but cannot be reached: its socket was removed",
                seen: "\(seen), and the lock next to it is held",
                .command(restart)
            )
        }
        if let refusal = facts.place.refusal { return refused(refusal) }
        return .fault(
            "daemon",
            "relativityd is not running",
            seen: seen,
            .command("systemctl --user enable --now relativityd.socket")
        )
    }

    private static func refused(_ refusal: DoctorFacts.Refusal) -> Finding {
        let moving = refusal.file.map { file in
            let file = (ShellWord.quote(file), ShellWord.quote(file + ".aside"))
            return "\(refusal.isOfMachine ? "sudo " : "")mv -n \(file.0) \(file.1) && \(restart)"
        }
        return .fault(
            "daemon",
            moving == nil ? "relativityd does not start" : "relativityd does not start: its configuration is not valid",
            seen: refusal.reason,
            moving.map { .command($0) } ?? .advice("fix the cause, then run: \(restart)")
        )
    }

    private static func denied(_ facts: DoctorFacts, _ code: Int32, _ path: String) -> Finding {
        let isOwn = facts.place.file?.owner == facts.user
        return .fault(
            "daemon",
            "the socket of relativityd cannot be reached",
            seen: "\(path): \(String(cString: strerror(code)))",
            code == EACCES && isOwn
                ? .command("chmod 600 \(path)")
                : .advice("run relctl as the user of the daemon, in that user's session")
        )
    }

    private static func other(_ facts: DoctorFacts, _ path: String) -> Finding {
        if let refusal = facts.place.refusal { return refused(refusal) }
        let reason = if case .failed(let reason) = facts.daemon { reason } else { "unknown reason" }
        return .fault(
            "daemon",
            "the process at \(path) is not a relativityd of this version",
            seen: reason,
            .command(restart)
        )
    }

    /// The finding for a note about an administrator's file. Its command names only a file in the administrator's
    /// directory.
    static func administratorsFile(_ note: ManagerAPI.Note, _ facts: DoctorFacts) -> Finding {
        guard let file = note.path, facts.administratorsFiles.contains(file) else { return finding(note) }
        let words = (ShellWord.quote(file), ShellWord.quote(file + ".aside"))
        return .warning(
            "administrators-file",
            "a server that the administrator has configured is missing",
            seen: note.text.description,
            .command("sudo mv -n \(words.0) \(words.1) && systemctl --user reload relativityd.service")
        )
    }
}

extension Diagnosis {
    /// Wrong owners and modes of the daemon's files, and file systems that are read-only or full.
    static func files(_ facts: DoctorFacts) -> [Finding] {
        let mounts = mounts(facts.files)
        let wrong = facts.files.compactMap { file in owner(file, facts.user) ?? mode(file) }
        return mounts + wrong.prefix(8)
    }

    private static func owner(_ file: FileFacts, _ user: UInt32) -> Finding? {
        guard file.owner != user else { return nil }
        let path = ShellWord.quote(file.path)
        return .fault(
            "files",
            "\(path) is not yours, so the daemon does not use it",
            seen: "it belongs to user \(file.owner), and you are user \(user)",
            .command("sudo chown \(user) \(path)")
        )
    }

    private static func mode(_ file: FileFacts) -> Finding? {
        guard file.mode & FileFacts.others != 0, !file.isSocket else { return nil }
        let path = ShellWord.quote(file.path)
        return .fault(
            "files",
            "\(path) is open to other users, so the daemon does not use it",
            seen: "its mode is \(String(file.mode, radix: 8))",
            .command("chmod \(file.isDirectory ? "700" : "600") \(path)")
        )
    }

    private static func mounts(_ files: [FileFacts]) -> [Finding] {
        let readOnly = Set(files.compactMap(\.readOnlyMount)).sorted().map { mount -> Finding in
            .fault(
                "disk",
                "nothing can be saved: the file system is read-only",
                seen: "\(ShellWord.quote(mount)) is mounted read-only",
                .command("sudo mount -o remount,rw \(ShellWord.quote(mount))")
            )
        }
        let full = Set(files.compactMap(\.fullMount)).sorted().map { mount -> Finding in
            .fault(
                "disk",
                "nothing can be saved: the file system is full",
                seen: "\(ShellWord.quote(mount)) has no free space",
                .advice("free space there: 'du -xh \(ShellWord.quote(mount)) | sort -h | tail' lists the largest files")
            )
        }
        return readOnly + full
    }
}

extension Diagnosis {
    /// - Returns: nil if the daemon does not report the vault.
    static func vault(_ facts: DoctorFacts) -> Finding? {
        guard let vault = facts.vault else { return nil }
        if let anchor = vault.anchor, anchor.isSuspected { return suspected(anchor, vault) }
        if let problem = vault.problem {
            let isMissing = vault.missesFile { facts.files.contains { $0.path == vault.path } }
            return isMissing ? missing(vault, problem) : broken(vault, problem, facts)
        }
        switch vault.state {
        case .absent: return .ok("vault", "there is no vault yet: it is created with the first login")
        case .sealed, .locked: return .ok("vault", "the vault is locked: unlock it to use a login")
        case .unlocked: return .ok("vault", "the vault is unlocked, \(Counted(vault.logins ?? 0, "login"))")
        }
    }

    /// The finding that a login in the vault cannot be used. Nil if the vault is unlocked, or if `vault` has a problem
    /// of its own to report.
    static func closedVault(_ facts: DoctorFacts) -> Finding? {
        guard let vault = facts.vault, vault.problem == nil else { return nil }
        switch vault.state {
        case .unlocked: return nil
        case .absent:
            return .fault(
                "vault-closed",
                "there is no vault, so there are no logins",
                seen: "\(ShellWord.quote(vault.path)) does not exist",
                .command("relctl vault init")
            )
        case .sealed, .locked:
            return .fault(
                "vault-closed",
                "the vault is locked: its logins cannot be used",
                seen: vault.state == .sealed
                    ? "it has not been unlocked since the daemon started" : "a command, a timeout or sleep locked it",
                .command("relctl vault unlock")
            )
        }
    }

    private static func suspected(_ anchor: CredentialsAPI.Anchor, _ vault: CredentialsAPI.Vault) -> Finding {
        let generation = anchor.found ?? vault.generation ?? 0
        let known = anchor.known.map { ", but generation \($0) was recorded" } ?? ""
        return .fault(
            "vault",
            anchor.verdict == .rollbackSuspected
                ? "the vault is older than the last one saved: no login is sent"
                : "the vault is not the last one saved: no login is sent",
            seen: "the generation of \(ShellWord.quote(vault.path)) is \(generation)\(known)",
            .command("relctl vault accept --generation \(generation)")
        )
    }

    private static func missing(_ vault: CredentialsAPI.Vault, _ problem: String) -> Finding {
        switch vault.state {
        case .absent:
            .warning(
                "vault",
                "the vault's file is missing: there are no logins",
                seen: problem,
                .advice(CredentialsAPI.Vault.waysWithoutCopy)
            )
        case .sealed, .locked:
            .fault(
                "vault",
                "the vault's file is missing: its logins cannot be used",
                seen: problem,
                vault.rescue.map { .command($0) }
            )
        case .unlocked:
            .fault(
                "vault",
                "the vault's file is gone: its logins are lost when the vault is locked",
                seen: problem,
                vault.rescue.map { .command($0) }
            )
        }
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
                        "mv -n \(path) \(aside) && cp -pn \(ShellWord.quote(previous)) \(path) && "
                            + "systemctl --user restart relativityd.service"
                    ) : .advice("replace it with a backup: relctl vault restore --replace BACKUP")
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
                isExplained ? nil : .advice("fix the cause; relctl vault status shows the result")
            )
        }
    }
}
