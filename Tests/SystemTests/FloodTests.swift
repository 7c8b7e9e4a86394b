// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

/// The daemon on host 1, the user's server on host 2, and on host 3 an attacker that announces servers endlessly.
@Suite(
    "A flood on the link",
    .serialized,
    .enabled(if: Requirement.allMet([.root, .avahi, .program("python3")]), "needs root and avahi-daemon"),
    .timeLimit(.minutes(90))
)
struct FloodTests {
    /// Avahi's own work grows with the square of the services.
    private static let services = Soak.count(600, soak: 10_000)
    private static let changes = Soak.count(1_200, soak: 100_000)
    /// Services or changes per second. A debug build cannot process more than the lower number.
    private static let rate = Soak.count(150, soak: 250)
    /// Avahi stores four records of a service, or a few more.
    private static let avahi = ["cache-entries-max=65536"]

    @Test(
        "a flood takes bounded memory, the list stays fast, and a change of an added server is seen in two seconds"
    )
    func flood() async throws {
        try await LAN.with(.hosts(3), bare: [2, 3], avahi: Self.avahi) { lan in
            let deployment = Deployment(on: lan)
            try await deployment.startDaemon()
            try await deployment.startServer(["--listen", "10.77.0.2"], port: 7_099)
            try await deployment.success("add", "mine", "10.77.0.2")
            let watch = try Supervised(
                [Products.path(of: "relctl"), "watch", "mine", "--json"],
                environment: deployment.environment,
                log: deployment.home.path(of: "watch")
            )
            let announcer = try Self.tool(["10.77.0.2", "say"], on: 2, of: lan)
            try await Self.say("before", by: announcer, until: watch)
            let before = try await DaemonUse(on: lan)

            let numbers = [Self.services, Self.changes, Self.rate].map { "\($0)" }
            let enemy = try Self.tool(["10.77.0.3", "flood"] + numbers, on: 3, of: lan)
            let began = ContinuousClock.now
            var delays: [Duration] = []
            var listings: [Duration] = []
            var late = 0
            for await line in enemy.outputLines(silence: .seconds(600)) {
                for turn in 1...4 {
                    delays.append(try await Self.say("\(line) \(turn)", by: announcer, until: watch))
                    listings.append(try await ContinuousClock().measure { late += try await Self.list(deployment) })
                }
                if line.hasPrefix("changed") { break }
            }
            let duration = ContinuousClock.now - began
            let after = try await DaemonUse(on: lan)
            let list = try #require(try await deployment.json("list").arrayValue)
            print(
                """
                \(list.count) of \(Self.services) services listed after them and \(Self.changes) changes in \(duration): \
                \((after.memory - before.memory) >> 10) KiB more; list in \(listings); changes seen after \(delays)
                """
            )
            #expect(list.count > Self.services / 2)
            #expect(try list.contains { try $0.objectValue?.string("name") == "mine" })
            // A busy machine may delay any one of them, and more so in a debug build.
            #expect(delays.count == 8 && delays.sorted()[4] < .seconds(2), "\(delays)")
            #expect(delays.allSatisfy { $0 < .seconds(5) }, "\(delays)")
            #expect(after.memory - before.memory <= 32 << 20)
            // The fastest one, because a busy machine may delay any one of them. A debug build is several times slower.
            #expect(listings.min().map { $0 < .seconds(2) } ?? false, "\(listings)")
            #expect(late <= listings.count / 2, "\(late) lists came too late for relctl")
            enemy.closeInput()
            announcer.closeInput()
            try await watch.end()
        }
    }

    /// - Returns: 1 if the reply exceeded relctl's timeout, else 0.
    private static func list(_ deployment: Deployment) async throws -> Int {
        let output = try await deployment.relctl("list")
        #expect(output.status == 0 || output.status == 75, "\(output.standardError)")
        return output.status == 0 ? 0 : 1
    }

    private static func tool(_ arguments: [String], on host: Int, of lan: LAN) throws -> ChildProcess {
        try lan.start(on: host, ["python3", Sources.root + "/Tests/Tools/flood_mdns.py"] + arguments)
    }

    /// Changes the server's TXT record, and waits until a watch reports it.
    ///
    /// - Returns: the delay.
    @discardableResult
    private static func say(
        _ text: String,
        by announcer: ChildProcess,
        until watch: Supervised
    ) async throws -> Duration {
        let began = ContinuousClock.now
        announcer.write(text + "\n")
        try await eventually { watch.output.contains("\"\(text)\"") }
        return ContinuousClock.now - began
    }
}
