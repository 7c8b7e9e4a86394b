// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

/// The daemon on host 1, and publishers on hosts 2 and 3.
@Suite(
    "Announcements in a watch",
    .serialized,
    .enabled(
        if: Requirement.allMet([.root, .avahi, .program("avahi-publish"), .program(Sources.python)]),
        "needs root, avahi-daemon and scripts/python-env.sh"
    ),
    .timeLimit(.minutes(2))
)
struct AnnouncementTests {
    private static let type = "_Relativity_DataService_rosdk._tcp"

    @Test("a goodbye is reported within 1.2 seconds, and another address of the same host is one change")
    func goodbyeAndAddress() async throws {
        try await LAN.with(.hosts(2)) { lan in
            let deployment = Deployment(on: lan)
            try await deployment.startDaemon()
            let watch = try Self.watch(deployment)
            var goodbyes: [Duration] = []
            for round in 1...2 {
                let server = try await publish(on: (lan, 2), deployment)
                let began = ContinuousClock.now
                server.send("TERM")
                try await eventually { try kinds(in: watch).count { $0 == "removed" } == round }
                goodbyes.append(ContinuousClock.now - began)
                try await server.end()
            }
            print("a goodbye was told after \(goodbyes)")
            // Avahi itself waits for a second in case another host objects. A busy machine may delay any one of them.
            #expect(goodbyes.min().map { $0 <= .milliseconds(1_200) } ?? false, "\(goodbyes)")
            #expect(goodbyes.allSatisfy { $0 < .seconds(4) }, "\(goodbyes)")

            let server = try await publish(on: (lan, 2), deployment)
            let told = try kinds(in: watch).count
            let began = ContinuousClock.now
            let move = "ip address add 10.77.0.32/25 dev eth0; ip address del 10.77.0.2/24 dev eth0"
            try await lan.command(on: 2, ["sh", "-c", move]).succeed()
            try await eventually { try await addresses(deployment).first == "10.77.0.32" }
            print("another address was told after \(ContinuousClock.now - began)")
            let quiet = ContinuousClock.now + .seconds(2)
            try await eventually { ContinuousClock.now > quiet }
            #expect(try kinds(in: watch).dropFirst(told) == ["changed"], "\(watch.output)")
            try await server.end()
            try await watch.end()
        }
    }

    @Test("names of another publisher are unchanged, and its invalid dot affects no other server")
    func foreignNames() async throws {
        let names = [
            "plain", "B\u{FC}ro \"1\"; $(id) 'x' <b>&", "\u{65E5}\u{672C}\u{8A9E} \u{1F600}", "back\\slash",
            "v1.2 of it",
        ]
        try await LAN.with(.hosts(3), bare: [2, 3]) { lan in
            let deployment = Deployment(on: lan)
            try await deployment.startDaemon()
            let tool = "\(Sources.root)/Tests/Tools/publish_zeroconf.py"
            let publisher = try lan.start(on: 3, [Sources.python, tool, Self.type, "7001"] + names)
            for await line in publisher.outputLines(silence: .seconds(30)) where line == "ready" { break }
            try await eventually { try await listed(deployment).count >= names.count - 1 }
            let quiet = ContinuousClock.now + .seconds(1)
            try await eventually { ContinuousClock.now > quiet }
            #expect(Set(try await listed(deployment)) == Set(names.dropLast()))
            publisher.closeInput()
        }
    }

    private static func watch(_ deployment: Deployment) throws -> Supervised {
        try Supervised(
            [Products.path(of: "relctl"), "watch", "--json"],
            environment: deployment.environment,
            log: deployment.home.path(of: "watch")
        )
    }

    /// Announces a server by Avahi's own program, and waits until the list shows it on both protocols.
    private func publish(on host: (lan: LAN, number: Int), _ deployment: Deployment) async throws -> Supervised {
        let server = try Supervised(
            ["avahi-publish", "-s", "Own", Self.type, "7002"],
            environment: deployment.environment,
            log: deployment.home.path(of: "publish"),
            on: host
        )
        try await eventually { try await addresses(deployment).count == 2 }
        return server
    }

    private func listed(_ deployment: Deployment) async throws -> [String] {
        try await deployment.json("list").arrayValue?.compactMap { try $0.objectValue?.string("name") } ?? []
    }

    private func addresses(_ deployment: Deployment) async throws -> [String] {
        let list = try await deployment.json("list").arrayValue ?? []
        return try list.first?.objectValue?.array("addresses").compactMap(\.stringValue) ?? []
    }

    private func kinds(in watch: Supervised) throws -> [String] {
        try watch.output.split(separator: "\n").compactMap {
            try JSONValue(parsing: String($0)).objectValue?.string("kind")
        }
    }
}
