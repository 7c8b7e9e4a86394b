// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import LocalAPI
import Platform

extension Diagnosis {
    /// Makes systemd's socket anew, and the daemon behind it.
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

    /// The variable leads away from a daemon that is there.
    private static func astray(_ facts: DoctorFacts) -> Finding? {
        guard let usual = facts.place.usual, usual.listens else { return nil }
        return .fault(
            "daemon",
            "\(SocketPath.environmentVariable) leads to no relativityd, and without it there is one",
            seen:
                "it is set to \(ShellWord.quote(facts.place.path)); somebody listens on \(ShellWord.quote(usual.path))",
            .command("unset \(SocketPath.environmentVariable)")
        )
    }

    private static func unreachable(_ facts: DoctorFacts, _ path: String) -> Finding? {
        guard case .unreachable(let code) = facts.daemon else { return nil }
        guard code == ENOENT || code == ECONNREFUSED else { return denied(facts, code, path) }
        let seen = code == ENOENT ? "\(path) is not there" : "nobody listens on \(path)"
        if facts.place.isClaimed {
            return .fault(
                "daemon",
                "relativityd runs, but nobody can reach it: its socket was removed",
                seen: "\(seen), and the lock beside it is held",
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
            moving.map { .command($0) } ?? .advice("see to that, then: \(restart)")
        )
    }

    private static func denied(_ facts: DoctorFacts, _ code: Int32, _ path: String) -> Finding {
        let isOurs = facts.place.file?.owner == facts.user
        return .fault(
            "daemon",
            "the socket of relativityd cannot be reached",
            seen: "\(path): \(String(cString: strerror(code)))",
            code == EACCES && isOurs
                ? .command("chmod 600 \(path)")
                : .advice("run relctl as the user whose daemon it is, in that user's session")
        )
    }

    private static func other(_ facts: DoctorFacts, _ path: String) -> Finding {
        let reason = if case .failed(let reason) = facts.daemon { reason } else { "no reason is known" }
        return .fault(
            "daemon",
            "what answers on \(path) is not a relativityd of this version",
            seen: reason,
            .command(restart)
        )
    }

    /// For a note about a file of the administrator. A command names only a file that is in the administrator's directory.
    static func administratorsFile(_ note: ManagerAPI.Note, _ facts: DoctorFacts) -> Finding {
        guard let file = note.path, facts.administratorsFiles.contains(file) else { return finding(note) }
        let words = (ShellWord.quote(file), ShellWord.quote(file + ".aside"))
        return .warning(
            "administrators-file",
            "a server that the administrator has laid down is missing",
            seen: note.text.description,
            .command("sudo mv -n \(words.0) \(words.1) && systemctl --user reload relativityd.service")
        )
    }
}
