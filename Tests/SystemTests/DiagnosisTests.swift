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

    /// Faults that no test can make as they are; the others are in `SeededFault`.
    static let cases = [
        fault("another user's socket", "daemon", "as the user") { $0.daemon = .unreachable(errno: EACCES) },
        fault("a configuration that a daemon of the service manager refuses", "daemon", "mv -n '/c/a.toml'") {
            $0.daemon = .failed(reason: "it closes the connection before a reply")
            $0.place.refusal = DoctorFacts.Refusal(reason: "/c/a.toml:3: no number", file: "/c/a.toml")
        },
        fault("a daemon that hangs", "daemon", "restart relativityd") { $0.daemon = .silent },
        fault("a variable that leads away from nothing", "daemon", "enable --now relativityd.socket") {
            ($0.daemon, $0.place.usual) = (.unreachable(errno: ENOENT), ("/s", false))
        },
        fault("a socket of ours that is closed", "daemon", "chmod 600 '/run/user/1/relativityd/relativityd.sock'") {
            let path = "/run/user/1/relativityd/relativityd.sock"
            $0.daemon = .unreachable(errno: EACCES)
            $0.place.file = FileFacts(path: path, isDirectory: false, owner: 1_000, mode: 0)
        },
        fault("no runtime directory", "daemon", "fix the cause") {
            $0.daemon = .unreachable(errno: ENOENT)
            $0.place.refusal = .init(reason: "XDG_RUNTIME_DIR is not set")
        },
        fault("no interface", "interfaces", "connect this machine") { $0.interfaces = [] },
        fault("no carrier", "interfaces", "connect this machine") { $0.interfaces[0].isRunning = false },
        fault("no address", "interfaces", "dhclient 'eth0'") { $0.interfaces[0].addresses = 0 },
        fault("interfaces that Avahi is allowed alone", "avahi-interfaces", "s/^ *allow-interfaces *=/#&/") {
            $0.avahiSettings = AvahiSettings("[server]\nallow-interfaces=wlan0\n[publish]\ndeny-interfaces=x\n")
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
        fault("a browser", "mdns-port", "turn off multicast DNS in chrome", .warning) {
            $0.multicastSockets.insert(.init(user: "ann", program: "chrome"))
        },
        fault("a network that nothing comes through", "multicast", "UDP port 5353", .warning) {
            $0.multicastAnswers = ["eth0": .silent, "eth1": .received]
        },
        fault("a firewall, the isolation of clients or a VPN", "multicast", "client isolation", .warning) {
            $0.multicastAnswers = ["wlan0": .silent]
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
