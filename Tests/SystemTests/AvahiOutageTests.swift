// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

/// The daemon on host 1, a server with Avahi on host 2, and one with python-zeroconf on host 3. Whatever happens to
/// Avahi, the bus or the network of host 1, the servers stay in the list, and a watch reports neither that they went
/// nor that they came.
@Suite(
    "Outages of Avahi and the bus",
    .serialized,
    .enabled(
        if: Requirement.allMet([.root, .avahi, .program("avahi-publish"), .program(Sources.python)]),
        "needs root, avahi-daemon and scripts/python-env.sh"
    ),
    .timeLimit(.minutes(3))
)
struct AvahiOutageTests {
    enum Outage: String, CaseIterable {
        /// `frozen`: daemon, bus and Avahi are stopped for a while, as in a sleep, but the clocks do not jump.
        case terminated, killed, hung, bus, interface, cable, address, flap, frozen

        var isOfNetwork: Bool { [.interface, .cable, .address, .flap].contains(self) }
    }

    @Test("the servers are back a second after an outage, and are never reported as gone", arguments: Outage.allCases)
    func outage(_ outage: Outage) async throws {
        try await withServers { lan, deployment, watch in
            let failed = ContinuousClock.now
            try await begin(outage, lan, deployment)
            let began = ContinuousClock.now
            let running = try await end(outage, lan)
            try await eventually { try await states(deployment) == ["announced", "announced"] }
            let back = ContinuousClock.now
            print(
                """
                \(outage): shown after \(failed.duration(to: began)); back \(running.duration(to: back)) after it ran again, \
                \(began.duration(to: back)) after it began to
                """
            )
            // Avahi queries and waits longer on a new interface. The time includes the shell and the polling of the
            // test.
            #expect(running.duration(to: back) < (outage.isOfNetwork ? .milliseconds(2_500) : .milliseconds(1_000)))
            #expect(try await deployment.json("list").arrayValue?.count == 2)
            // Longer than sightings from before the outage are kept.
            let quiet = ContinuousClock.now + .seconds(outage == .flap ? 11 : 3)
            try await eventually { ContinuousClock.now > quiet }
            let told = try changes(in: watch.output)
            #expect(!told.contains("removed") && !told.contains("added"), "\(told)")
        }
    }

    /// Causes the fault, and waits until it is visible, if it can be.
    private func begin(_ outage: Outage, _ lan: LAN, _ deployment: Deployment) async throws {
        switch outage {
        case .terminated: try await lan.avahi(.terminate, on: 1)
        case .killed: try await lan.avahi(.kill, on: 1)
        case .hung: return try await lan.avahi(.stop, on: 1)
        case .bus: try await lan.bus(.kill, on: 1)
        case .frozen:
            try await lan.command(on: 1, ["sh", "-c", "kill -STOP $(pgrep 'relativityd|avahi-daemon|dbus-daemon')"])
                .succeed()
            let end = ContinuousClock.now + .seconds(5)
            return try await eventually { ContinuousClock.now > end }
        case .cable: try await lan.link(up: false, of: 1)
        case .interface: try await lan.command(on: 1, ["ip", "link", "set", "eth0", "down"]).succeed()
        case .address:
            try await lan.command(on: 1, ["ip", "address", "flush", "dev", "eth0"]).succeed()
        case .flap:
            let flap = "for i in 1 2 3; do ip link set eth0 down; ip link set eth0 up; done"
            try await lan.command(on: 1, ["sh", "-c", flap]).succeed()
            return
        }
        try await eventually { try await states(deployment) == ["stale", "stale"] }
    }

    /// - Returns: the time when the failed part worked again.
    private func end(_ outage: Outage, _ lan: LAN) async throws -> ContinuousClock.Instant {
        switch outage {
        case .terminated, .killed: try await lan.avahi(.start, on: 1)
        case .hung: try await lan.avahi(.continue, on: 1)
        case .bus:
            try await lan.bus(.start, on: 1)
            try await lan.avahi(.start, on: 1)
        case .frozen:
            try await lan.command(on: 1, ["sh", "-c", "kill -CONT $(pgrep 'relativityd|avahi-daemon|dbus-daemon')"])
                .succeed()
        case .cable: try await lan.link(up: true, of: 1)
        case .interface: try await lan.command(on: 1, ["ip", "link", "set", "eth0", "up"]).succeed()
        case .address:
            let addresses = ["ip address add 10.77.0.21/24 dev eth0", "ip address add fe80::21/64 dev eth0"]
            try await lan.command(on: 1, ["sh", "-c", addresses.joined(separator: ";")]).succeed()
        case .flap: break
        }
        return .now
    }

    private func withServers(_ body: (LAN, Deployment, Supervised) async throws -> Void) async throws {
        try await LAN.with(.hosts(3), bare: [3]) { lan in
            let deployment = Deployment(on: lan)
            try await deployment.startDaemon()
            let zeroconf = try lan.start(
                on: 3,
                [Sources.python, "\(Sources.root)/Tests/Tools/publish_zeroconf.py", relativityType, "7001", "Foreign"]
            )
            let avahi = try Supervised(
                ["avahi-publish", "-s", "Own", relativityType, "7002"],
                environment: deployment.environment,
                log: deployment.home.path(of: "publish"),
                on: (lan, 2)
            )
            try await eventually {
                try await states(deployment) == ["announced", "announced"]
            }
            // By then all events of both protocols have arrived.
            let quiet = ContinuousClock.now + .seconds(1)
            try await eventually { ContinuousClock.now > quiet }
            let watch = try Supervised(
                [Products.path(of: "relctl"), "watch", "--json"],
                environment: deployment.environment,
                log: deployment.home.path(of: "watch")
            )
            try await eventually { try changes(in: watch.output) == ["snapshot"] }
            try await body(lan, deployment, watch)
            try await watch.end()
            try await avahi.end()
            zeroconf.closeInput()
        }
    }

    private func states(_ deployment: Deployment) async throws -> [String] {
        try await deployment.json("list").arrayValue?.compactMap { try $0.objectValue?.string("state") } ?? []
    }

    private func changes(in log: String) throws -> [String] {
        try log.split(separator: "\n").compactMap { try JSONValue(parsing: String($0)).objectValue?.string("kind") }
    }
}

private let relativityType = "_Relativity_DataService_rosdk._tcp"
