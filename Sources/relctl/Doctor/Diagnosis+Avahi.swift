// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI
import Platform

extension Diagnosis {
    private static let restartAvahi = "sudo systemctl restart avahi-daemon.service"
    /// Records that are enough for a thousand servers.
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
                seen: "nobody listens on /run/avahi-daemon/socket",
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

    /// What Avahi is told not to listen to.
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
                    "Avahi is told not to use \(usable.joined(separator: ", "))",
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
                    "Avahi is told not to use IPv4: servers that have no IPv6 address are not found",
                    seen: "use-ipv4=no in \(AvahiSettings.path)",
                    edit("-e 's/^ *use-ipv4 *=.*/use-ipv4=yes/'")
                )
            )
        }
        return findings
    }

    /// For a note that Avahi's cache is too small.
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
