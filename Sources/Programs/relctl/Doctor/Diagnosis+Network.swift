// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import LocalAPI
import Platform

extension Diagnosis {
    /// Checks of everything that discovery needs.
    static func network(_ facts: DoctorFacts) -> [Finding] {
        guard !facts.isOfSandbox else {
            return [.ok("sandbox", "this is a sandbox of relctl, which does not search the network for servers")]
        }
        return [bus(facts), avahi(facts), interfaces(facts)] + loopback(facts) + avahiSettings(facts)
            + [multicastPort(facts)] + multicast(facts) + sources(facts)
    }

    private static func bus(_ facts: DoctorFacts) -> Finding {
        let path = ShellWord.quote(facts.busPath)
        switch facts.bus {
        case .listens:
            return .ok("bus", "the system bus accepts connections")
        case .refuses(let code):
            let isDenied = code == EACCES || code == EPERM
            return .fault(
                "bus",
                isDenied
                    ? "access to the system bus is denied" : "there is no system bus, which is needed to reach Avahi",
                seen: "\(path): \(String(cString: strerror(code)))",
                .command(isDenied ? "sudo chmod 666 \(path)" : "sudo systemctl start dbus.socket dbus.service")
            )
        }
    }

    private static func interfaces(_ facts: DoctorFacts) -> Finding {
        let interfaces = facts.interfaces.filter { !$0.isLoopback }
        let usable = interfaces.filter(\.isUsable).map(\.name)
        guard usable.isEmpty else {
            return .ok("interfaces", "announcements can be received on \(usable.joined(separator: ", "))")
        }
        let seen = interfaces.map { "\($0.name): \($0.lack)" }.joined(separator: "; ")
        return .fault(
            "interfaces",
            "no network interface can receive announcements",
            seen: seen.isEmpty ? "there is no interface except loopback" : seen,
            interfaces.lazy.compactMap(\.remedy).first.map { .command($0) }
                ?? .advice("connect this machine to a network")
        )
    }

    /// The finding that loopback is down, which adapters and local servers need.
    private static func loopback(_ facts: DoctorFacts) -> [Finding] {
        facts.interfaces.filter { $0.isLoopback && !$0.isUp }.map { interface in
            .fault(
                "loopback",
                "the loopback interface is down: nothing on this machine can be reached by TCP",
                seen: "\(interface.name): \(interface.lack)",
                .command("sudo ip link set \(ShellWord.quote(interface.name)) up")
            )
        }
    }

    private static func multicastPort(_ facts: DoctorFacts) -> Finding {
        let others = facts.multicastSockets.filter { !$0.isAvahi }
            .sorted { ($0.user, $0.program ?? "") < ($1.user, $1.program ?? "") }
        guard let first = others.first else { return .ok("mdns-port", "no other program answers multicast DNS") }
        let isResolved = others.contains(where: \.isResolved)
        let directory = "/etc/systemd/resolved.conf.d"
        return .warning(
            "mdns-port",
            isResolved
                ? "systemd-resolved uses multicast DNS in addition to Avahi: each may miss replies"
                : "another program uses the port of multicast DNS: it may receive packets meant for Avahi",
            seen: "UDP port 5353: " + others.map(\.text).joined(separator: ", "),
            isResolved
                ? .command(
                    "sudo mkdir -p \(directory) && printf '[Resolve]\\nMulticastDNS=no\\n' | "
                        + "sudo tee \(directory)/no-mdns.conf && sudo systemctl restart systemd-resolved.service"
                )
                : .advice(
                    "if servers are missing, turn off multicast DNS in \(first.program ?? "the program of user \(first.user)")"
                )
        )
    }

    /// The result of the doctor's own multicast query.
    private static func multicast(_ facts: DoctorFacts) -> [Finding] {
        let silent = facts.multicastAnswers.filter { $0.value == .silent }.keys.sorted()
        let received = facts.multicastAnswers.filter { $0.value == .received }.keys.sorted()
        guard !silent.isEmpty else {
            guard !received.isEmpty else { return [] }
            return [.ok("multicast", "multicast DNS is sent and received on \(received.joined(separator: ", "))")]
        }
        return [
            .warning(
                "multicast",
                "multicast DNS does not work on \(silent.joined(separator: ", ")): servers there are not found",
                seen: "a query to 224.0.0.251 on UDP port \(MulticastQuery.port): no packet within "
                    + "\(Counted(MulticastQuery.patience.components.seconds, "second")), not even the query itself",
                .advice("check what blocks multicast: \(multicastObstacles); or add the server: relctl add NAME HOST")
            )
        ]
    }

    private static let multicastObstacles =
        "a firewall that blocks UDP port 5353, client isolation of a wireless network, a VPN"

    /// The state of the daemon's sources, if no other finding explains it.
    private static func sources(_ facts: DoctorFacts) -> [Finding] {
        guard let status = facts.status else { return [] }
        let isExplained = facts.bus != .listens || facts.avahi != .answers
        return status.sources.compactMap { source in
            // The findings on the bus and on Avahi say the same.
            if source.name == "avahi", source.state == .down, isExplained { return nil }
            guard source.state == .down else { return working(source, hasEndpoints: status.endpoints > 0) }
            let name = Printable(source.name)
            return .fault(
                "source",
                "the daemon finds no servers through \(name)",
                seen: source.reason.description,
                source.name != "avahi"
                    ? .advice("fix the cause; the daemon retries within a minute")
                    : .command(allowance(facts.busPolicies))
            )
        }
    }

    /// The command that restores the daemon's access to Avahi.
    private static func allowance(_ policies: [String]) -> String {
        guard !policies.isEmpty else { return "sudo systemctl restart avahi-daemon.service" }
        let moves = policies.map { "sudo mv -n \(ShellWord.quote($0)) \(ShellWord.quote($0 + ".aside")) && " }
        return moves.joined() + "sudo systemctl reload dbus.service"
    }

    private static func working(_ source: ManagerAPI.Source, hasEndpoints: Bool) -> Finding {
        let name = Printable(source.name)
        guard source.settled, source.heardSecondsAgo == nil else { return .ok("source", "\(name) works") }
        return Finding(
            check: "announcements",
            verdict: hasEndpoints ? .ok : .warning,
            finding: "\(name) works, but has received no announcement",
            evidence: source.upSeconds.map { "up for \($0) s" },
            remedy: .advice(
                "check that the server runs, announces itself and is on the same network, and that nothing blocks "
                    + "multicast: \(multicastObstacles); or add the server: relctl add NAME HOST"
            )
        )
    }
}

extension DoctorFacts.Interface {
    var isUsable: Bool { isUp && isRunning && takesMulticast && addresses > 0 }

    fileprivate var lack: String {
        if !isUp { return "is down" }
        if !isRunning { return "has no carrier" }
        if !takesMulticast { return "does not support multicast" }
        return addresses == 0 ? "has no address" : "works"
    }

    /// The command that makes the interface usable; nil if it has no carrier, which no command can change.
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

extension Diagnosis {
    private static let mostInOneCommand = 16

    /// Findings about servers in the list: conflicts, hidden servers, differing announcements, unknown owners.
    static func list(_ facts: DoctorFacts) -> [Finding] {
        facts.endpoints.filter { $0.state == .conflict }
            .map { conflict($0, isPinned: facts.pinned.contains($0.id)) } + hidden(facts)
            + facts.endpoints.compactMap { otherwise($0) } + facts.endpoints.compactMap { unknownOwner($0) }
    }

    /// The finding for a server in conflict. Only a pinned endpoint can be repinned.
    static func conflict(_ endpoint: RegistryAPI.Endpoint, isPinned: Bool) -> Finding {
        if let finding = otherUser(endpoint) { return finding }
        return .warning(
            "conflict",
            "'\(Printable(endpoint.name))' is in conflict: another server announces its name, or its identity has changed; logins "
                + "are sent only to the server that they are bound to",
            seen: endpoint.stateReason?.text.description,
            isPinned
                ? .command("relctl endpoint repin \(ShellWord.quote(endpoint.id))")
                : .advice("check its identity: relctl show \(ShellWord.quote(endpoint.id))")
        )
    }

    /// The finding that a process of another user answered at the address of a server of this machine.
    static func otherUser(_ endpoint: RegistryAPI.Endpoint) -> Finding? {
        guard let reason = endpoint.stateReason, reason.code == .otherUser else { return nil }
        return .warning(
            "conflict",
            "'\(Printable(endpoint.name))' is a server of another user, to which no password is sent",
            seen: reason.text.description,
            .advice("use a server that you or root started: relctl show \(ShellWord.quote(endpoint.id))")
        )
    }

    /// The finding that the list is empty because every server in it is hidden.
    private static func hidden(_ facts: DoctorFacts) -> [Finding] {
        let hidden = facts.endpoints.filter(\.hidden)
        guard !hidden.isEmpty, hidden.count == facts.endpoints.count else { return [] }
        let names = hidden.prefix(mostInOneCommand).map { "'\(Printable($0.name))'" }.joined(separator: ", ")
        return [
            .fault(
                "hidden",
                "the list is empty because all servers in it are hidden",
                seen: "hidden with 'relctl hide': \(names)",
                .command(
                    hidden.prefix(mostInOneCommand).map { "relctl unhide \(ShellWord.quote($0.id))" }
                        .joined(separator: " && ")
                )
            )
        ]
    }

    /// The finding for a server that was added with another scheme or path than it announces.
    static func otherwise(_ endpoint: RegistryAPI.Endpoint) -> Finding? {
        guard let announced = endpoint.announcedUrl.flatMap({ try? ServerURL(completing: $0) }) else { return nil }
        return .warning(
            "announced-otherwise",
            "'\(Printable(endpoint.name))' was added with another URL than it announces",
            seen: "\(Printable(endpoint.url)) was added, \(Printable(announced.description)) is announced",
            .command(
                "relctl endpoint set \(ShellWord.quote(endpoint.id)) --scheme \(announced.scheme.rawValue) "
                    + "--path \(ShellWord.quote(announced.path))"
            )
        )
    }

    /// The finding for a local server that is used even if its process owner is unknown.
    static func unknownOwner(_ endpoint: RegistryAPI.Endpoint) -> Finding? {
        guard endpoint.acceptUnknownOwner else { return nil }
        let id = ShellWord.quote(endpoint.id)
        return .warning(
            "unknown-owner",
            "logins are sent to '\(Printable(endpoint.name))' even if the user of the process that answers there is unknown",
            seen: "relctl endpoint set \(id) --accept-unknown-owner on",
            .command("relctl endpoint set \(id) --accept-unknown-owner off")
        )
    }

    /// The finding that the default login does not exist.
    static func logins(_ facts: DoctorFacts) -> [Finding] {
        guard facts.status != nil, let standing = facts.logins.standing, facts.logins.missing == nil,
            !facts.logins.names.contains(standing.name)
        else { return [] }
        return [
            .fault(
                "default-login",
                "the default login does not exist",
                seen: "'\(Printable(standing.name))', chosen by \(standing.chooser.rawValue)",
                .command(standing.isOfEnvironment ? "unset \(standing.chooser.rawValue)" : "relctl default unset")
            )
        ]
    }
}

extension ChosenLogin {
    fileprivate var isOfEnvironment: Bool { chooser == .environment }
}
