// SPDX-License-Identifier: Apache-2.0

import Glibc
import LocalAPI
import Platform
import Testing

@testable import relctl

@Suite("Findings of relctl doctor")
struct DiagnosisTests {
    private static func status(
        _ source: ManagerAPI.Source.State = .up,
        fault: ManagerAPI.SourceFault? = nil,
        of name: String = "avahi",
        heard: Int64? = 5,
        notes: [ManagerAPI.Note] = [],
        version: String = ProjectVersion.text
    ) -> ManagerAPI.Status {
        ManagerAPI.Status(
            version: version,
            pid: 7,
            uptimeSeconds: 1,
            sources: [
                ManagerAPI.Source(
                    name: name,
                    state: source,
                    fault: fault,
                    settled: true,
                    heardSecondsAgo: heard
                )
            ],
            multicastInterfaces: [],
            endpoints: 0,
            droppedSightings: 0,
            malformedSightings: 0,
            cutSightings: 0,
            evictedEndpoints: 0,
            foldedChanges: 0,
            refusedAddresses: 0,
            vault: .absent,
            sessions: 0,
            adapters: 0,
            notes: notes
        )
    }

    private static let wire = DoctorFacts.Interface(
        name: "eth0",
        isUp: true,
        isRunning: true,
        takesMulticast: true,
        addresses: 2
    )

    static func facts(_ change: (inout DoctorFacts) -> Void = { _ in }) -> DoctorFacts {
        var facts = DoctorFacts(
            place: DoctorFacts.DaemonPlace(path: "/run/user/1/relativityd/relativityd.sock"),
            daemon: .answers(status()),
            busPath: "/run/dbus/system_bus_socket",
            bus: .listens,
            avahi: .answers,
            interfaces: [wire],
            multicastSockets: [.init(user: "avahi", program: nil), .init(user: "avahi", program: "avahi-daemon")],
            user: 1_000
        )
        change(&facts)
        return facts
    }

    @Test("without problems there are no findings")
    func healthy() {
        let diagnosis = Diagnosis(Self.facts())
        #expect(diagnosis.isHealthy)
        #expect(diagnosis.findings.map(\.check) == ["daemon", "bus", "avahi", "interfaces", "mdns-port", "source"])
        #expect(diagnosis.findings.allSatisfy { $0.verdict == .ok && $0.remedy == nil })
    }

    @Test("a query that returned is reported, with the interfaces")
    func multicast() {
        let findings = Diagnosis(Self.facts { $0.multicastAnswers = ["wlan0": .received, "eth0": .received] }).findings
        let heard = Finding.ok("multicast", "multicast DNS is sent and received on eth0, wlan0")
        #expect(findings.contains(heard))
    }

    @Test("a login that a locked vault may have is one of the findings, with the command that unlocks it")
    func lockedUp() {
        var facts = Self.facts { $0.isLoginLockedUp = true }
        facts.vault = WayDiagnosisTests.vault(.locked)
        let findings = Diagnosis(facts).findings
        #expect(findings.count { $0.verdict == .fault } == 1 && findings.contains { $0.check == "mdns-port" })
        #expect(findings.contains { $0.check == "vault-closed" && $0.remedy == .command("relctl vault unlock") })
    }

    struct Case: Sendable, CustomStringConvertible {
        let description: String
        let check: String
        let verdict: Finding.Verdict
        let remedy: String
        let change: @Sendable (inout DoctorFacts) -> Void
    }

    private static func fault(
        _ description: String,
        _ check: String,
        _ remedy: String,
        _ verdict: Finding.Verdict = .fault,
        _ change: @escaping @Sendable (inout DoctorFacts) -> Void
    ) -> Case {
        Case(description: description, check: check, verdict: verdict, remedy: remedy, change: change)
    }

    static let cases = [
        fault("no socket", "daemon", "enable --now relativityd.socket") { $0.daemon = .unreachable(errno: ENOENT) },
        fault("dead socket", "daemon", "enable --now relativityd.socket") {
            $0.daemon = .unreachable(errno: ECONNREFUSED)
        },
        fault("another user's socket", "daemon", "as the user") { $0.daemon = .unreachable(errno: EACCES) },
        fault("a daemon that hangs", "daemon", "restart relativityd") { $0.daemon = .silent },
        fault("another program", "daemon", "restart relativityd.socket") { $0.daemon = .failed(reason: "x") },
        fault("a daemon that a signal has stopped", "daemon", "kill -CONT 7") {
            ($0.daemon, $0.place.stopped) = (.silent, 7)
        },
        fault("a variable that leads away", "daemon", "unset RELATIVITYD_SOCKET") {
            ($0.daemon, $0.place.usual) = (.unreachable(errno: ENAMETOOLONG), ("/s", true))
        },
        fault("a variable that leads away from nothing", "daemon", "enable --now relativityd.socket") {
            ($0.daemon, $0.place.usual) = (.unreachable(errno: ENOENT), ("/s", false))
        },
        fault("a socket that was removed", "daemon", "restart relativityd.socket") {
            ($0.daemon, $0.place.isClaimed) = (.unreachable(errno: ENOENT), true)
        },
        fault("a socket of ours that is closed", "daemon", "chmod 600 '/run/user/1/relativityd/relativityd.sock'") {
            let path = "/run/user/1/relativityd/relativityd.sock"
            $0.daemon = .unreachable(errno: EACCES)
            $0.place.file = FileFacts(path: path, isDirectory: false, owner: 1_000, mode: 0)
        },
        fault("a configuration that is not valid", "daemon", "mv -n '/it'\\''s' '/it'\\''s.aside' && systemctl") {
            $0.daemon = .unreachable(errno: ENOENT)
            $0.place.refusal = .init(reason: "no TOML", file: "/it's")
        },
        fault("no runtime directory", "daemon", "fix the cause") {
            $0.daemon = .unreachable(errno: ENOENT)
            $0.place.refusal = .init(reason: "XDG_RUNTIME_DIR is not set")
        },
        fault("an older daemon", "daemon", "restart relativityd.service", .warning) {
            $0.daemon = .answers(status(version: "0.0.1"))
        },
        fault("no bus", "bus", "start dbus.socket") { $0.bus = .refuses(errno: ENOENT) },
        fault("a dead bus", "bus", "start dbus.socket") { $0.bus = .refuses(errno: ECONNREFUSED) },
        fault("a closed bus", "bus", "chmod 666 '/run/dbus/system_bus_socket'") { $0.bus = .refuses(errno: EACCES) },
        fault("no avahi", "avahi", "apt-get install avahi-daemon") { $0.avahi = .notInstalled },
        fault("avahi is off", "avahi", "enable --now avahi-daemon") { $0.avahi = .notRunning },
        fault("avahi hangs", "avahi", "restart avahi-daemon") { $0.avahi = .silent },
        fault("no interface", "interfaces", "connect this machine") { $0.interfaces = [] },
        fault("down", "interfaces", "sudo ip link set 'eth0' up") { $0.interfaces[0].isUp = false },
        fault("no carrier", "interfaces", "connect this machine") { $0.interfaces[0].isRunning = false },
        fault("no multicast", "interfaces", "multicast on") { $0.interfaces[0].takesMulticast = false },
        fault("no address", "interfaces", "dhclient 'eth0'") { $0.interfaces[0].addresses = 0 },
        fault("no loopback", "loopback", "ip link set 'lo' up") {
            $0.interfaces.append(
                .init(name: "lo", isLoopback: true, isUp: false, isRunning: false, takesMulticast: false, addresses: 0)
            )
        },
        fault("an interface that Avahi is denied", "avahi-interfaces", "s/^ *deny-interfaces *=/#&/") {
            $0.avahiSettings = AvahiSettings("[server]\n deny-interfaces = wlan0, eth0\n")
        },
        fault("interfaces that Avahi is allowed alone", "avahi-interfaces", "s/^ *allow-interfaces *=/#&/") {
            $0.avahiSettings = AvahiSettings("[server]\nallow-interfaces=wlan0\n[publish]\ndeny-interfaces=x\n")
        },
        fault("a foreign directory", "files", "sudo chown 1000 '/d'") {
            $0.files = [FileFacts(path: "/d", isDirectory: true, owner: 0, mode: 0o700)]
        },
        fault("an open file", "files", "chmod 600 '/d/f'") {
            $0.files = [FileFacts(path: "/d/f", isDirectory: false, owner: 1_000, mode: 0o640)]
        },
        fault("a full disk", "disk", "du -xh '/home'") {
            var directory = FileFacts(path: "/home/d", isDirectory: true, owner: 1_000, mode: 0o700)
            directory.fullMount = "/home"
            $0.files = [directory]
        },
        fault("systemd-resolved by its user", "mdns-port", "MulticastDNS=no", .warning) {
            $0.multicastSockets.insert(.init(user: "systemd-resolve", program: nil))
        },
        fault("systemd-resolved by its program", "mdns-port", "MulticastDNS=no", .warning) {
            $0.multicastSockets.insert(.init(user: "998", program: "systemd-resolve"))
        },
        fault("a browser", "mdns-port", "turn off multicast DNS in chrome", .warning) {
            $0.multicastSockets.insert(.init(user: "ann", program: "chrome"))
        },
        fault("a network that nothing comes through", "multicast", "UDP port 5353", .warning) {
            $0.multicastAnswers = ["eth0": .silent, "eth1": .received]
        },
        fault("a firewall, the isolation of clients or a VPN", "multicast", "client isolation", .warning) {
            $0.multicastAnswers = ["wlan0": .silent]
        },
        fault("the bus refuses Avahi to the daemon", "source", "mv -n '/p.conf' '/p.conf.aside'") {
            $0.busPolicies = ["/p.conf"]
            $0.daemon = .answers(status(.down, fault: .init(code: .avahiDenied, servers: [])))
        },
        fault("nobody announces himself", "announcements", "relctl add NAME HOST", .warning) {
            $0.daemon = .answers(status(heard: nil))
        },
        fault("a DNS server that is silent", "source", "fix the cause") {
            $0.daemon = .answers(status(.down, fault: .init(code: .dnsSilent, servers: []), of: "dns:example.org"))
        },
        fault("a note of the daemon", "note", "", .warning) {
            $0.daemon = .answers(status(notes: [.init(code: .avahiSilent)]))
        },
        fault("a small cache of Avahi", "avahi-cache", "cache-entries-max=32768'", .warning) {
            $0.daemon = .answers(status(notes: [.init(code: .avahiCacheFull, limit: 4_096, needed: 32_768)]))
        },
        fault("a file of the administrator", "administrators-file", "mv -n '/e/a.toml' '/e/a.toml.aside'", .warning) {
            $0.administratorsFiles = ["/e/a.toml"]
            $0.daemon = .answers(status(notes: [.init(code: .serverFileIgnored, path: "/e/a.toml")]))
        },
        fault("a file that is not in the administrator's directory", "note", "", .warning) {
            $0.administratorsFiles = ["/e/a.toml"]
            $0.daemon = .answers(status(notes: [.init(code: .serverFileIgnored, path: "/etc/passwd")]))
        },
        fault("a vault that does not tell more", "note", "", .warning) {
            $0.vault = nil
            $0.daemon = .answers(status(notes: [.init(code: .vaultUnusable, detail: "r")]))
        },
    ]

    @Test("each problem is one finding with its remedy", arguments: cases)
    func judged(_ item: Case) throws {
        let diagnosis = Diagnosis(Self.facts(item.change))
        let others = diagnosis.findings.filter { $0.verdict != .ok }
        let finding = try #require(others.first)
        #expect(others.count == 1, "\(others)")
        #expect(finding.check == item.check && finding.verdict == item.verdict)
        #expect(
            item.remedy.isEmpty ? finding.remedy == nil : finding.remedy?.text.contains(item.remedy) == true,
            "\(finding)"
        )
        #expect(diagnosis.isHealthy == (item.verdict == .warning))
    }

    @Test("without Avahi or the bus, the daemon's source Avahi is no second finding")
    func explained() {
        let findings = Diagnosis(
            Self.facts {
                $0.avahi = .notRunning
                $0.daemon = .answers(Self.status(.down, fault: .init(code: .avahiNotRunning, servers: [])))
            }
        )
        .findings
        #expect(findings.filter { $0.verdict == .fault }.map(\.check) == ["avahi"])
        #expect(!findings.contains { $0.check == "source" })
    }
}
