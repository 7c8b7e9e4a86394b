// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

/// The daemon on host 1, the trusted server on host 2, and on host 3 a rogue that takes its name and its address.
@Suite(
    "A rogue on a real link",
    .enabled(
        if: Requirement.allMet([.root, .avahi, .program(Sources.python)], for: "the rogue"),
        "needs root, avahi-daemon and scripts/python-env.sh"
    ),
    .timeLimit(.minutes(3))
)
struct RogueNetworkTests {
    private static let password = "canary-7d1f0c2b9e"

    @Test("neither the name nor the address of a server gets its password, and the error names the right server")
    func takeover() async throws {
        try await LAN.with(.hosts(3), bare: [3]) { lan in
            let deployment = Deployment(on: lan)
            try await deployment.startDaemon()
            let server = try await deployment.startServer(["--lan", "--name", "office", "--any-password"], port: 7_099)
            try await eventually { try await deployment.relctl("show", "office").status == 0 }
            // One server, announced and added, so that a rogue with its name or its address replaces both.
            try await deployment.success("add", "bench", "10.77.0.2:7099")
            try await deployment.initialiseVault()
            let added = try await deployment.addLogin(
                to: "bench",
                password: Self.password,
                options: ["--name", "clerk"]
            )
            #expect(added.status == 0, "\(added)")
            // Without a gateway, the permission is bound to the server's own link-layer address.
            try await deployment.success("adapter", "open", "bench")
            let record = deployment.home.path(of: "rogue.bytes")
            func recorded() -> String { TextFile.text(of: record) }

            // The same name and port, from host 3. Avahi loses the name in the conflict.
            let script = Sources.root + "/Tests/Tools/rogue_server.py"
            let rogue = try lan.start(on: 3, [Sources.python, script, "7099", record, "office", "10.77.0.3"])
            try await eventually {
                try #require(try await deployment.json("list").arrayValue).compactMap(\.objectValue)
                    .contains { try $0.strings("addresses").contains("10.77.0.3") }
            }
            try await deployment.success("login", "test", "clerk")
            try await deployment.success("adapter", "open", "bench")
            #expect(try await deployment.relctl("adapter", "open", "office").status != 0)

            // The rogue also takes the server's address.
            try await server.program.end()
            try await lan.link(up: false, of: 2)
            try await lan.command(on: 3, ["ip", "address", "add", "10.77.0.2/24", "dev", "eth0"]).succeed()
            try await lan.command(on: 1, ["ip", "neighbour", "flush", "dev", "eth0"]).succeed()
            for adapter in try #require(try await deployment.json("adapter", "list").arrayValue) {
                try await deployment.success("adapter", "close", try #require(adapter.objectValue).string("id"))
            }
            // The rogue responds at this address.
            try await deployment.success("endpoint", "probe", "bench")
            try await eventually { recorded().contains("connection") }
            for arguments in [["adapter", "open", "bench"], ["login", "test", "clerk"]] {
                let command = Command([Products.path(of: "relctl")] + arguments, environment: deployment.environment)
                let refused = try await command.run()
                #expect(refused.status == 64 && refused.standardError.contains("another network"), "\(refused)")
            }
            let repinned = try await deployment.relctl("endpoint", "repin", "bench")
            #expect(repinned.status == 64, "\(repinned)")
            let bytes = recorded()
            print("the rogue recorded \(bytes.utf8.count) bytes")
            for part in [Self.password, "DASamples", "User Id"] { #expect(!bytes.contains(part)) }

            rogue.closeInput()
            _ = rogue.wait()
        }
    }
}
