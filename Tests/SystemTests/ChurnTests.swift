// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

/// The daemon on host 1. On host 3 servers come, change and go for the time that `make soak` sets.
@Suite(
    "An hour of churn",
    .enabled(
        if: Soak.isOn && Requirement.allMet([.root, .avahi, .program("python3")]),
        "needs RELATIVITYD_SOAK=1, root and avahi-daemon"
    ),
    .timeLimit(.minutes(120))
)
struct ChurnTests {
    private static let minutes = getenv("RELATIVITYD_SOAK_MINUTES").flatMap { Int(String(cString: $0)) } ?? 60
    private static let servers = 200
    /// Packets per second, a third each for servers that come, change and go.
    private static let rate = 60
    /// The exit status of relctl if the daemon did not answer in time.
    private static let tryAgain: Int32 = 75

    @Test("the daemon's memory and descriptors do not grow after the first servers have gone")
    func flat() async throws {
        try await LAN.with(.hosts(3), bare: [2, 3], avahi: ["cache-entries-max=65536"]) { lan in
            let deployment = Deployment(on: lan)
            try await deployment.startDaemon()
            let tool = Sources.root + "/Tests/Tools/flood_mdns.py"
            let numbers = ["\(Self.servers)", "\(Self.rate)"]
            let churn = try lan.start(on: 3, ["python3", tool, "10.77.0.3", "churn"] + numbers)
            for await line in churn.outputLines(silence: .seconds(120)) where line.hasPrefix("announced") { break }

            let part = Duration.seconds(60 * Self.minutes) / 8
            var uses: [DaemonUse] = []
            var (lists, late) = (0, 0)
            for number in 1...8 {
                let end = ContinuousClock.now + part
                // Lists are requested all the time, because their memory must be released too.
                try await eventually(within: 7_200) {
                    let listing = try await deployment.relctl("list")
                    lists += 1
                    // A busy machine may be stopped for longer than relctl's timeout.
                    if listing.status == Self.tryAgain { late += 1 } else { #expect(listing.status == 0, "\(listing)") }
                    return ContinuousClock.now > end
                }
                let use = try await DaemonUse(on: lan)
                uses.append(use)
                print(
                    """
                    \(number)/8 of \(Self.minutes) minutes: \(use.memory >> 10) KiB, \(use.descriptors) descriptors; \
                    \(late) of \(lists) lists came too late
                    """
                )
            }
            #expect(late <= lists / 1_000 + 1)
            #expect(try await deployment.json("list").arrayValue?.isEmpty == false)
            let (settled, last) = (uses[1], uses[7])
            #expect(last.memory <= settled.memory + (2 << 20))
            // A list in progress may use one or two.
            #expect(last.descriptors <= settled.descriptors + 2)
            churn.closeInput()
        }
    }
}
