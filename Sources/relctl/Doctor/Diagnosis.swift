// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import LocalAPI
import Platform

/// Judges the facts: one finding for each check, in the order in which a person would look.
struct Diagnosis {
    let findings: [Finding]

    var isHealthy: Bool { !findings.contains { $0.verdict == .fault } }

    init(_ facts: DoctorFacts) {
        findings =
            [
                Self.daemon(facts), Self.bus(facts), Self.avahi(facts), Self.interfaces(facts),
                Self.multicastPort(facts),
            ] + Self.sources(facts) + Self.conflicts(facts) + Self.notes(facts)
    }

    private static func daemon(_ facts: DoctorFacts) -> Finding {
        let path = ShellWord.quote(facts.socketPath)
        switch facts.daemon {
        case .answers(let status):
            return .ok("daemon", "relativityd \(Printable(status.version)) answers, pid \(status.pid)")
        case .unreachable(let code) where code == ENOENT || code == ECONNREFUSED:
            return Finding(
                check: "daemon",
                verdict: .fault,
                finding: "relativityd is not running",
                evidence: code == ENOENT ? "\(path) is not there" : "nobody listens on \(path)",
                remedy: "systemctl --user enable --now relativityd.socket"
            )
        case .unreachable(let code):
            return Finding(
                check: "daemon",
                verdict: .fault,
                finding: "the socket of relativityd cannot be reached",
                evidence: "\(path): \(String(cString: strerror(code)))",
                remedy: "run relctl as the user whose daemon it is, in that user's session"
            )
        case .silent:
            return Finding(
                check: "daemon",
                verdict: .fault,
                finding: "relativityd hangs",
                evidence: "no answer on \(path) within 2 seconds",
                remedy: "systemctl --user restart relativityd.service"
            )
        case .failed(let reason):
            return Finding(
                check: "daemon",
                verdict: .fault,
                finding: "what answers is not a relativityd of this version",
                evidence: reason,
                remedy: "relctl version"
            )
        }
    }

    private static func bus(_ facts: DoctorFacts) -> Finding {
        let path = ShellWord.quote(facts.busPath)
        switch facts.bus {
        case .listens:
            return .ok("bus", "the system bus takes connections")
        case .refuses(let code) where code == EACCES || code == EPERM:
            return Finding(
                check: "bus",
                verdict: .fault,
                finding: "access to the system bus is denied",
                evidence: "\(path): \(String(cString: strerror(code)))",
                remedy: "sudo chmod 666 \(path)"
            )
        case .refuses(let code):
            return Finding(
                check: "bus",
                verdict: .fault,
                finding: "there is no system bus, by which Avahi is asked",
                evidence: "\(path): \(String(cString: strerror(code)))",
                remedy: "sudo systemctl start dbus.socket dbus.service"
            )
        }
    }

    private static func avahi(_ facts: DoctorFacts) -> Finding {
        switch facts.avahi {
        case .answers:
            return .ok("avahi", "avahi-daemon runs and answers")
        case .notInstalled:
            return Finding(
                check: "avahi",
                verdict: .fault,
                finding: "avahi-daemon is not installed: servers on the local network are not found",
                evidence: "there is no program avahi-daemon",
                remedy: "sudo apt-get install avahi-daemon"
            )
        case .notRunning:
            return Finding(
                check: "avahi",
                verdict: .fault,
                finding: "avahi-daemon is not running: servers on the local network are not found",
                evidence: "nobody listens on /run/avahi-daemon/socket",
                remedy: "sudo systemctl enable --now avahi-daemon.service"
            )
        case .silent:
            return Finding(
                check: "avahi",
                verdict: .fault,
                finding: "avahi-daemon hangs",
                evidence: "no answer on /run/avahi-daemon/socket within 1 second",
                remedy: "sudo systemctl restart avahi-daemon.service"
            )
        }
    }

    private static func interfaces(_ facts: DoctorFacts) -> Finding {
        let usable = facts.interfaces.filter(\.isUsable).map(\.name)
        guard usable.isEmpty else {
            return .ok("interfaces", "announcements can be heard on \(usable.joined(separator: ", "))")
        }
        let seen = facts.interfaces.map { "\($0.name): \($0.lack)" }.joined(separator: "; ")
        return Finding(
            check: "interfaces",
            verdict: .fault,
            finding: "no network interface can hear announcements",
            evidence: seen.isEmpty ? "there is no interface but loopback" : seen,
            remedy: facts.interfaces.lazy.compactMap(\.remedy).first ?? "connect this machine to a network"
        )
    }

    private static func multicastPort(_ facts: DoctorFacts) -> Finding {
        let others = facts.multicastSockets.filter { !$0.isAvahi }
            .sorted { ($0.user, $0.program ?? "") < ($1.user, $1.program ?? "") }
        guard let first = others.first else { return .ok("mdns-port", "no other program answers multicast DNS") }
        let isResolved = others.contains(where: \.isResolved)
        return Finding(
            check: "mdns-port",
            verdict: .warning,
            finding: isResolved
                ? "systemd-resolved speaks multicast DNS beside Avahi: each may miss what the other hears"
                : "another program uses the port of multicast DNS: it may take what Avahi should hear",
            evidence: "UDP port 5353: " + others.map(\.text).joined(separator: ", "),
            remedy: isResolved
                ? "set MulticastDNS=no in /etc/systemd/resolved.conf, then: sudo systemctl restart systemd-resolved.service"
                : "turn multicast DNS off in \(first.program ?? "the program of user \(first.user)"), if servers are missing"
        )
    }

    /// What the daemon says of its sources, where nothing above explains it.
    private static func sources(_ facts: DoctorFacts) -> [Finding] {
        guard case .answers(let status) = facts.daemon else { return [] }
        let isExplained = facts.bus != .listens || facts.avahi != .answers
        return status.sources.map { source in
            guard source.state == .down else { return working(source, hasEndpoints: status.endpoints > 0) }
            return Finding(
                check: "source",
                verdict: .fault,
                finding: "the daemon finds no servers through \(source.name)",
                evidence: source.reason,
                remedy: source.name != "avahi"
                    ? "put that right; the daemon tries again by itself within a minute"
                    : isExplained
                        ? nil
                        : "sudo systemctl restart avahi-daemon.service; if the bus denies access: sudo systemctl reload dbus"
            )
        }
    }

    private static func working(_ source: SourceRecord, hasEndpoints: Bool) -> Finding {
        guard source.settled, source.heardSecondsAgo == nil else { return .ok("source", "\(source.name) works") }
        return Finding(
            check: "source",
            verdict: hasEndpoints ? .ok : .warning,
            finding: "\(source.name) works, but no server has announced itself there",
            evidence: source.upSeconds.map { "up for \($0) s" },
            remedy:
                "see whether the server runs, announces itself and is in the same network; else: relctl add NAME HOST"
        )
    }

    private static func conflicts(_ facts: DoctorFacts) -> [Finding] {
        facts.conflicts.map { endpoint in
            Finding(
                check: "conflict",
                verdict: .warning,
                finding:
                    "no login goes to '\(Printable(endpoint.name))': it is not, or not alone, what it was",
                evidence: endpoint.stateReason,
                remedy: "relctl show \(endpoint.id); if it has really changed: relctl endpoint repin \(endpoint.id)"
            )
        }
    }

    private static func notes(_ facts: DoctorFacts) -> [Finding] {
        guard case .answers(let status) = facts.daemon else { return [] }
        return status.notes.map { Finding(check: "note", verdict: .warning, finding: $0) }
    }
}

extension DoctorFacts.Interface {
    fileprivate var isUsable: Bool { isUp && isRunning && takesMulticast && addresses > 0 }

    fileprivate var lack: String {
        if !isUp { return "is down" }
        if !isRunning { return "has no carrier" }
        if !takesMulticast { return "takes no multicast" }
        return addresses == 0 ? "has no address" : "works"
    }

    /// nil where only a hand at the cable helps.
    fileprivate var remedy: String? {
        let name = ShellWord.quote(name)
        if !isUp { return "sudo ip link set \(name) up" }
        if !isRunning { return nil }
        if !takesMulticast { return "sudo ip link set \(name) multicast on" }
        return addresses == 0 ? "sudo dhclient \(name)" : nil
    }
}

extension DoctorFacts.MulticastSocket {
    fileprivate var isAvahi: Bool { program.map { $0.hasPrefix("avahi-daemon") } ?? (user == "avahi") }
    fileprivate var isResolved: Bool { program.map { $0.hasPrefix("systemd-resolve") } ?? (user == "systemd-resolve") }
    fileprivate var text: String { program.map { "\($0) (user \(user))" } ?? "a program of user \(user)" }
}
