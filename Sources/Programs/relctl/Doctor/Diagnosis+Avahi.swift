// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI
import Platform

extension Diagnosis {
    private static let restartAvahi = "sudo systemctl restart avahi-daemon.service"
    /// Number of records sufficient for a thousand servers.
    private static let cacheEntries: Int64 = 16_384

    static func avahi(_ facts: DoctorFacts) -> Finding {
        switch facts.avahi {
        case .answers:
            return .ok("avahi", "avahi-daemon runs and answers")
        case .notInstalled:
            return .fault(
                "avahi",
                "avahi-daemon is not installed: servers on the local network are not found",
                seen: "there is no program avahi-daemon",
                .command("sudo apt-get install avahi-daemon")
            )
        case .notRunning:
            return .fault(
                "avahi",
                "avahi-daemon is not running: servers on the local network are not found",
                seen: "no process listens on /run/avahi-daemon/socket",
                .command("sudo systemctl enable --now avahi-daemon.service")
            )
        case .silent:
            return .fault(
                "avahi",
                "avahi-daemon hangs",
                seen: "no answer on /run/avahi-daemon/socket within 1 second",
                .command(restartAvahi)
            )
        }
    }

    /// Settings that keep Avahi from using interfaces or IPv4.
    static func avahiSettings(_ facts: DoctorFacts) -> [Finding] {
        let settings = facts.avahiSettings
        let usable = facts.interfaces.filter { !$0.isLoopback && $0.isUsable }.map(\.name)
        var findings: [Finding] = []
        if !usable.isEmpty, !usable.contains(where: settings.uses) {
            let isDenied = usable.contains(where: settings.denied.contains)
            let key = isDenied ? "deny-interfaces" : "allow-interfaces"
            findings.append(
                .fault(
                    "avahi-interfaces",
                    "Avahi is configured not to use \(usable.joined(separator: ", "))",
                    seen: "\(key)=\((isDenied ? settings.denied : settings.allowed ?? []).joined(separator: ",")) in "
                        + AvahiSettings.path,
                    edit("-e 's/^ *\(key) *=/#&/'")
                )
            )
        }
        if !settings.usesIPv4 {
            findings.append(
                .warning(
                    "avahi-ipv4",
                    "Avahi is configured not to use IPv4: servers without an IPv6 address are not found",
                    seen: "use-ipv4=no in \(AvahiSettings.path)",
                    edit("-e 's/^ *use-ipv4 *=.*/use-ipv4=yes/'")
                )
            )
        }
        return findings
    }

    /// The finding for a note that Avahi's cache is full.
    static func avahiCache(_ note: ManagerAPI.Note) -> Finding {
        let entries = max(cacheEntries, note.needed ?? 0)
        return .warning(
            "avahi-cache",
            "avahi-daemon keeps too few records: servers may be missing",
            seen: note.text.description,
            edit("-e '/^ *cache-entries-max *=/d' -e '/^\\[server\\]/a cache-entries-max=\(entries)'")
        )
    }

    private static func edit(_ expressions: String) -> Finding.Remedy {
        .command("sudo sed -i \(expressions) \(AvahiSettings.path) && \(restartAvahi)")
    }
}

/// The settings in avahi-daemon.conf(5) that can keep announcements from being received.
struct AvahiSettings: Equatable {
    static let path = "/etc/avahi/avahi-daemon.conf"
    /// Larger files are not read.
    static let maximumBytes = 64 << 10

    /// The only interfaces that Avahi may use; nil for all.
    var allowed: [String]?
    var denied: [String] = []
    var usesIPv4 = true

    init() {}

    /// - Parameter text: the file; unknown lines are ignored.
    init(_ text: String) {
        var section = ""
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.drop { $0.isWhitespace }
            if line.hasPrefix("[") { section = String(line.prefix { $0 != "]" }) }
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            guard section == "[server", parts.count == 2 else { continue }
            switch parts[0] {
            case "allow-interfaces": allowed = parts[1].split(separator: ",").map(String.init)
            case "deny-interfaces": denied = parts[1].split(separator: ",").map(String.init)
            case "use-ipv4": usesIPv4 = parts[1] != "no"
            default: continue
            }
        }
    }

    /// Whether Avahi listens on an interface.
    func uses(_ interface: String) -> Bool {
        !denied.contains(interface) && allowed?.contains(interface) != false
    }
}
