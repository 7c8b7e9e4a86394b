// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import TestSupport
import Testing

@testable import Discovery

private let type = "_xy._tcp"

/// Host 1 browses, hosts 2 and 3 publish.
@Suite(
    "More services than Avahi's limits allow",
    .serialized,
    .enabled(
        if: Requirement.allMet([.root, .avahi, .program("avahi-browse"), .program(Sources.python)]),
        "needs root, avahi-daemon and scripts/python-env.sh"
    ),
    .timeLimit(.minutes(10))
)
struct FullCacheTests {
    private static let isSoak = getenv("RELATIVITYD_SOAK") != nil
    /// Limits of Avahi's cache: too small by a third, and in a soak also large enough.
    private static let limits = isSoak ? [4_096, 65_536] : [2_048]

    /// The number of services on each of two hosts. Avahi's work grows with its square.
    private static let services = isSoak ? 1_000 : 500

    @Test("every service in Avahi's cache is reported, and the full cache is detected", arguments: limits)
    func overflow(cacheEntries: Int) async throws {
        let settings = ["cache-entries-max=\(cacheEntries)", "objects-per-client-max=1024"]
        try await LAN.with(.hosts(3), avahi: settings) { lan in
            let publishers = try ["A": 2, "B": 3].map { prefix, host in
                try lan.start(
                    on: host,
                    [Sources.python, Sources.root + "/Tests/Tools/publish_many.py", type, prefix, "\(Self.services)"]
                )
            }
            for publisher in publishers {
                for await line in publisher.outputLines(silence: .seconds(60)) where line == "ready" { break }
            }
            let began = ContinuousClock.now
            let browser = try Observer(browsing: [type], on: 1, of: lan)
            try await browser.wait(for: .settled)
            let settled = ContinuousClock.now - began
            let cached = try await namesInCache(of: lan)
            // Reads the events that have arrived meanwhile.
            let silent = try await browser.counter("silent")
            let missing = cached.subtracting(names(of: browser))
            print("\(names(of: browser).count) of the \(cached.count) in the cache after \(settled)")
            // The last cached record may be a pointer to a service whose own records did not fit.
            #expect(missing.count <= 4 && silent >= missing.count, "\(missing.sorted().prefix(9)), silent: \(silent)")
            let unknown = names(of: browser).subtracting(cached)
            #expect(unknown.count <= 4, "\(unknown.sorted().prefix(9))")

            let named = try await browser.counter("namedOnFullestLink")
            let isShort = CacheShortage(instances: named, silent: silent, limit: cacheEntries) != nil
            let isComplete = cached.count == 4 * Self.services
            #expect(isShort == (cacheEntries < 65_536) && isComplete == !isShort)
            let connections = try await browser.counter("connections")
            #expect(connections >= cached.count / 900 + 1)
            for publisher in publishers { publisher.closeInput() }
        }
    }

    private func names(of browser: Observer) -> Set<String> {
        Set(browser.sightings.keys.map { "\($0.family) \($0.instance.name)" })
    }

    /// The services in the cache as listed by `avahi-browse`, each with protocol and name.
    private func namesInCache(of lan: LAN) async throws -> Set<String> {
        let command = lan.command(on: 1, ["avahi-browse", "--terminate", "--parsable", "--no-db-lookup", type])
        let lines = try await command.succeed(deadline: .seconds(60)).split(separator: "\n").filter {
            $0.hasPrefix("+")
        }
        return Set(
            lines.map { line in
                let fields = line.split(separator: ";")
                return (fields[2] == "IPv4" ? "inet " : "inet6 ") + fields[3].replacing("\\032", with: " ")
            }
        )
    }
}
