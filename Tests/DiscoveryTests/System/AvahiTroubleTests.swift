// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import TestSupport
import Testing

private let type = "_xy._tcp"

/// Host 1 browses, host 2 publishes.
@Suite(
    "Avahi with faults",
    .serialized,
    .enabled(if: Requirement.allMet([.root, .avahi]), "needs root and avahi-daemon"),
    .timeLimit(.minutes(10))
)
struct AvahiTroubleTests {
    private static let isSoak = getenv("RELATIVITYD_SOAK") != nil

    @Test("a bus that denies access to Avahi is reported as such, only as long as it does")
    func denied() async throws {
        try await LAN.with(.hosts(1)) { lan in
            try await lan.bus(deniesAvahi: true, on: 1)
            let browser = try Observer(browsing: [type], on: 1, of: lan)
            #expect(try await browser.awaitDown() == .avahiDenied)
            let other = try Observer(browsing: [type], on: 1, of: lan)
            #expect(try await other.awaitDown() == .avahiDenied)
            try await lan.bus(deniesAvahi: false, on: 1)
            let allowed = ContinuousClock.now
            browser.tell("check")
            try await browser.wait(for: .source(.up))
            print("access to Avahi: back \(ContinuousClock.now - allowed) after it was allowed and somebody asked")
            #expect(ContinuousClock.now - allowed < .seconds(1))
            // Without a check the recovery takes as long as the backoff.
            try await other.wait(for: .source(.up))
        }
    }

    @Test("a dead bus that had denied access is reported on request, and the next bus is tried immediately")
    func deniedThenDead() async throws {
        try await LAN.with(.hosts(1)) { lan in
            try await lan.bus(deniesAvahi: true, on: 1)
            let browser = try Observer(browsing: [type], on: 1, of: lan)
            #expect(try await browser.awaitDown() == .avahiDenied)
            try await lan.bus(.kill, on: 1)
            browser.tell("check")
            #expect(try await browser.awaitDown() == .busUnreachable)
            try await lan.command(on: 1, ["rm", "/run/dbus/policy.d/deny.conf"]).succeed()
            try await lan.bus(.start, on: 1)
            try await lan.avahi(.start, on: 1)
            let running = ContinuousClock.now
            try await browser.wait(for: .source(.up))
            print("a bus that denied access: back \(ContinuousClock.now - running) after avahi-daemon runs on another")
            #expect(ContinuousClock.now - running < .seconds(1))
        }
    }

    @Test(
        "a request detects an avahi-daemon that hangs; calls do not pile up, and it recovers immediately"
    )
    func hung() async throws {
        try await LAN.with(.hosts(2)) { lan in
            let browser = try Observer(browsing: [type], on: 1, of: lan)
            let publisher = try Observer(publishing: ["Stays"], type, 7_099, txt: [], on: 2, of: lan)
            try await publisher.wait { $0.published != nil }
            try await browser.wait { _ in browser.sightings.count == 2 }
            try await lan.avahi(.stop, on: 1)
            let asked = ContinuousClock.now
            browser.tell("check")
            #expect(try await browser.awaitDown() == .avahiNotAnswering)
            print("an avahi-daemon that hangs: told after \(ContinuousClock.now - asked)")
            #expect(ContinuousClock.now - asked < .milliseconds(2_500))
            let end = asked + (Self.isSoak ? .seconds(300) : .seconds(6))
            try await eventually(within: 310) { ContinuousClock.now > end }
            try await lan.avahi(.continue, on: 1)
            let continued = ContinuousClock.now
            try await browser.wait { _ in !browser.sightings.isEmpty }
            print("hung for \(end - asked): back \(ContinuousClock.now - continued) after it went on")
            #expect(ContinuousClock.now - continued < .milliseconds(1_500))
            try await browser.awaitSettled()
            #expect(browser.heard.allSatisfy { !$0.isVanished })
        }
    }

    @Test("a refresh replaces resolvers, without an event if nothing has changed")
    func refresh() async throws {
        try await LAN.with(.hosts(2)) { lan in
            let browser = try Observer(browsing: [type], on: 1, of: lan)
            let publisher = try Observer(publishing: ["Doubted"], type, 7_099, txt: ["a"], on: 2, of: lan)
            try await publisher.wait { $0.published != nil }
            try await browser.wait { _ in browser.sightings.count == 2 }
            browser.tell("refresh Doubted\nrefresh Doubted\nrefresh Doubted")
            let after = [Array("b".utf8)]
            publisher.tell("txt b")
            try await browser.wait { _ in browser.sightings.values.allSatisfy { $0.txt == after } }
            let told = browser.heard.filter(\.isSighted).count
            #expect(told == 4, "two of each text")
            let resolvers = try await browser.counter("resolvers")
            #expect(resolvers == 2)
            publisher.tell("stop")
            try await browser.wait { _ in browser.sightings.isEmpty }
            let left = try await browser.counter("resolvers")
            #expect(left == 0)
        }
    }
}

extension ProbeLine {
    fileprivate var isVanished: Bool { if case .vanished = event { true } else { false } }
    fileprivate var isSighted: Bool { if case .sighted = event { true } else { false } }
}
