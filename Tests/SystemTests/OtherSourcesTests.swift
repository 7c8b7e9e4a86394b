// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite(
    "Servers of a DNS domain and of a list in etcd, on the command line",
    .enabled(
        if: Requirement.allMet([.program("/usr/sbin/nsd"), .program("/usr/bin/etcd"), .program("/usr/bin/etcdctl")])
    ),
    .timeLimit(.minutes(1))
)
struct OtherSourcesTests {
    private static let type = "_Relativity_DataService_rosdk._tcp"

    private let deployment = Deployment()

    /// Name and state of every server in the list.
    private func list() async throws -> [String: String] {
        let entries = try await deployment.json("list").arrayValue ?? []
        return Dictionary(
            try entries.compactMap(\.objectValue).map { (try $0.string("name"), try $0.string("state")) }
        ) { first, _ in first }
    }

    private func configure(_ names: NameServer, _ etcd: EtcdServer, probes: Bool) {
        let configuration = """
            [probe]
            mode = "\(probes ? "on" : "off")"
            [[dns_domain]]
            name = "example.org"
            servers = ["127.0.0.1:\(names.port)"]
            [[etcd]]
            name = "fleet"
            servers = ["\(etcd.address)"]
            prefix = "/fleet"
            """
        deployment.home.write(Array(configuration.utf8), to: "config/relativityd/relativityd.toml")
    }

    @Test("both are listed, a failure of one does not affect the other, and the daemon exits immediately")
    func sideBySide() async throws {
        let names = try await NameServer.serving([
            "\(Self.type) PTR hall.\(Self.type)", "hall.\(Self.type) SRV 0 0 7099 host", "host A 10.1.2.3",
        ])
        let etcd = try await EtcdServer.serving()
        try await etcd.put("desk", url: "http://10.1.2.4:7099/bin")
        try await etcd.put("broken", "nonsense")
        configure(names, etcd, probes: false)
        let daemon = try await deployment.startDaemon()
        try await eventually { try await list() == ["hall": "announced", "desk": "announced"] }
        #expect(try await deployment.success("status").contains("for example 'broken': the value is not a JSON object"))

        etcd.signal(SIGTERM)
        try await eventually { try await list() == ["hall": "announced", "desk": "stale"] }

        let began = ContinuousClock.now
        #expect(try await daemon.end() == 0)
        #expect(ContinuousClock.now - began < .seconds(5))
    }

    @Test("while idle, only probes and health checks of etcd wake the daemon")
    func idle() async throws {
        let bus = try await SessionBus()
        let names = try await NameServer.serving([
            "\(Self.type) 3600 PTR hall.\(Self.type)", "hall.\(Self.type) 3600 SRV 0 0 7099 host",
            "hall.\(Self.type) 3600 TXT a=b", "host 3600 A 10.1.2.3", "host 3600 AAAA fd00::3",
        ])
        let etcd = try await EtcdServer.serving()
        try await etcd.put("desk", url: "http://10.1.2.4:7099/bin")
        configure(names, etcd, probes: true)
        try await deployment.startDaemon(environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
        let server = try await deployment.startServer()
        try await deployment.success("add", "mine", "127.0.0.1:\(server.port)")
        let expected = ["hall": "announced", "desk": "announced", "mine": "reachable"]
        try await eventually { try await list() == expected }
        let status = try #require(try await deployment.json("status").objectValue)
        let pid = try status.integer("pid")
        // The discovered servers are saved by then.
        let quiet = ContinuousClock.now + .seconds(5)
        try await eventually { ContinuousClock.now > quiet }
        let before = try await Self.wakeUps(of: pid)
        let end = ContinuousClock.now + .seconds(10)
        try await eventually { ContinuousClock.now > end }
        let wakeUps = try await Self.wakeUps(of: pid) - before
        print("with a DNS domain, a list in etcd and a probe: woken \(wakeUps) times in 10 s")
        // A query and its answer cause some wake-ups. A timer that fires every second causes more.
        #expect(wakeUps < 10)
    }

    /// The number of times that the threads of a process have gone to sleep.
    private static func wakeUps(of pid: Int64) async throws -> Int {
        let lines = try await Command(["sh", "-c", "cat /proc/\(pid)/task/*/status"]).succeed().split(separator: "\n")
        return lines.filter { $0.hasPrefix("voluntary_ctxt_switches") }.reduce(0) { sum, line in
            sum + (line.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 0)
        }
    }
}
