// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite(
    "Servers of a DNS domain and of a list in etcd, from the command line",
    .enabled(
        if: Requirement.allMet([.program("/usr/sbin/nsd"), .program("/usr/bin/etcd"), .program("/usr/bin/etcdctl")])
    ),
    .timeLimit(.minutes(1))
)
struct OtherSourcesTests {
    private static let type = "_Relativity_DataService_rosdk._tcp"

    private let deployment = Deployment()

    /// Name and state of every server that the list has.
    private func list() async throws -> [String: String] {
        let entries = try await deployment.json("list").arrayValue ?? []
        return Dictionary(
            try entries.compactMap(\.objectValue).map { (try $0.string("name"), try $0.string("state")) }
        ) { first, _ in first }
    }

    @Test("both are listed side by side; one that fails takes nothing from the other; the daemon ends at once")
    func sideBySide() async throws {
        let names = try await NameServer.serving([
            "\(Self.type) PTR hall.\(Self.type)", "hall.\(Self.type) SRV 0 0 7099 host", "host A 10.1.2.3",
        ])
        let etcd = try await EtcdServer.serving()
        try await etcd.put("desk", url: "http://10.1.2.4:7099/bin")
        try await etcd.put("broken", "nonsense")
        let configuration = """
            [probe]
            mode = "off"
            [[dns_domain]]
            name = "example.org"
            servers = ["127.0.0.1:\(names.port)"]
            [[etcd]]
            name = "fleet"
            servers = ["\(etcd.address)"]
            prefix = "/fleet"
            """
        deployment.home.write(Array(configuration.utf8), to: "config/relativityd/relativityd.toml")
        let daemon = try await deployment.startDaemon()
        try await eventually { try await list() == ["hall": "announced", "desk": "announced"] }
        #expect(try await deployment.success("status").contains("for example 'broken': the value is no JSON object"))

        etcd.signal(SIGTERM)
        try await eventually { try await list() == ["hall": "announced", "desk": "stale"] }

        let began = ContinuousClock.now
        #expect(try await daemon.end() == 0)
        #expect(ContinuousClock.now - began < .seconds(5))
    }
}
