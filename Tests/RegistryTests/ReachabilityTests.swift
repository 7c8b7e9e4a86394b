// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TestSupport
import Testing

@testable import Registry

@Suite("Reachability")
struct ReachabilityTests {
    private static let lost = Contact.failed(StateReason(code: .noAnswer))
    private static let refused = Contact.failed(
        StateReason(code: .connectError, errno: 111, detail: "Connection refused")
    )
    private static let other = Contact.conflict(StateReason(code: .otherKey, shown: "x"))

    @Test("a failure and the first success after it count immediately, with their time")
    func simple() {
        var state = Reachability(.reached, at: 100)
        state.record(.reached, at: 160)
        #expect(state.since == 100 && state.heard == 160)
        state.record(Self.lost, at: 220)
        #expect(state.contact == Self.lost && state.since == 220)
        state.record(Self.lost, at: 280)
        #expect(state.since == 220)
        state.record(.reached, at: 340)
        #expect(state.contact == .reached && state.since == 340)
    }

    @Test("a server that changes with each probe is shown to change a few times, and then stays the same")
    func flapping() {
        var state = Reachability(.reached, at: 0)
        var changes = 0
        for step in 1...10_000 {
            let before = state.contact
            state.record(step.isMultiple(of: 2) ? .reached : Self.lost, at: Int64(step) * 60)
            if state.contact != before { changes += 1 }
        }
        #expect(changes == 3)
        #expect(state.contact == Self.lost)
    }

    @Test("an unstable server needs more and more successes, and recovers when it has been stable")
    func relapses() {
        var now: Int64 = 0
        var state = Reachability(.reached, at: now)
        for needed in [1, 2, 4, 4] {
            now += 60
            state.record(Self.lost, at: now)
            for success in 1...needed {
                #expect(state.contact == Self.lost, "\(success) of \(needed)")
                now += 60
                state.record(.reached, at: now)
            }
            #expect(state.contact == .reached)
        }
        now += Reachability.relapsePeriod
        state.record(Self.lost, at: now)
        state.record(.reached, at: now + 60)
        #expect(state.contact == .reached)
    }

    @Test("alternating reasons are no change, and a lasting reason is shown")
    func reasons() {
        var state = Reachability(Self.lost, at: 0)
        for step in 1...10 { state.record(step.isMultiple(of: 2) ? Self.lost : Self.refused, at: Int64(step)) }
        #expect(state.contact == Self.lost)
        state.record(Self.refused, at: 11)
        state.record(Self.refused, at: 12)
        #expect(state.contact == Self.refused && state.since == 0)
    }

    @Test("a conflict counts immediately, and ends only when another result lasts")
    func conflict() {
        var state = Reachability(Self.lost, at: 0)
        state.record(Self.other, at: 1)
        #expect(state.contact == Self.other && state.since == 1)
        state.record(Self.lost, at: 2)
        #expect(state.contact == Self.other)
        state.record(Self.lost, at: 3)
        #expect(state.contact == Self.lost && state.since == 3)
    }

    @Test("a saved state is shown as saved until there is a new result")
    func saved() throws {
        let id = try #require(EndpointID("a"))
        var state = Reachability(Self.refused, at: 50)
        state.record(Self.refused, at: 90)
        var file = try ReachabilityFile(parsing: ReachabilityFile([id: state]).bytes, now: 1_000)
        #expect(file.states[id] == Reachability(saved: Self.refused, since: 50, heard: 90))
        #expect(file.states[id]?.isFromBefore == true)
        file.states[id]?.record(Self.refused, at: 1_001)
        #expect(file.states[id]?.isFromBefore == false)
        #expect(file.states[id]?.since == 50)
    }

    @Test("a reason survives restarts unchanged, and a deceptive one is made printable")
    func reasonsInTheFile() throws {
        let id = try #require(EndpointID("a"))
        for text in [#"\u{1B}[2J name"#, "plain", #"a\\b"#] {
            let reason = StateReason(
                code: .notVouched,
                host: text,
                port: 7,
                shown: text,
                path: text,
                errno: 1,
                detail: text
            )
            var file = ReachabilityFile([id: Reachability(.failed(reason), at: 1)])
            for _ in 0..<3 { file = try ReachabilityFile(parsing: file.bytes, now: 10) }
            #expect(file.states[id]?.contact == .failed(reason))
        }
        let text =
            #"{"version":1,"endpoints":[{"id":"a","state":"unreachable","reason":{"code":"error","detail":"\u001b[2J","#
            + #""host":"\u001b[2J"},"since":1,"heard":2}]}"#
        let file = try ReachabilityFile(parsing: Array(text.utf8), now: 10)
        let reason = try #require(file.states[id]?.contact.reason)
        #expect(!"\(reason)".contains("\u{1B}") && reason.detail?.contains("\u{1B}") == false)
    }

    @Test("times in the future become now")
    func clockSetBack() throws {
        let id = try #require(EndpointID("a"))
        let file = try ReachabilityFile(
            parsing: ReachabilityFile([id: Reachability(.reached, at: 9_999)]).bytes,
            now: 10
        )
        #expect(file.states[id] == Reachability(saved: .reached, since: 10, heard: 10))
    }

    @Test(
        "a file of another type is refused",
        arguments: [
            "", "[]", "{", #"{"version":2,"endpoints":[]}"#, #"{"version":1}"#,
            #"{"version":1,"endpoints":[{"id":"../x","state":"reachable","since":1,"heard":1}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","state":"announced","since":1,"heard":1}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","state":"reachable","since":"1","heard":1}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","state":"conflict","since":1,"heard":1}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","state":"conflict","reason":{"code":"x"},"since":1,"heard":1}]}"#,
        ]
    )
    func damaged(text: String) {
        #expect(throws: (any Error).self) { try ReachabilityFile(parsing: Array(text.utf8), now: 1) }
    }

    @Test("a randomly damaged file yields an error or states, and never a crash")
    func randomDamage() throws {
        let id = try #require(EndpointID("a"))
        let bytes = ReachabilityFile([id: Reachability(Self.lost, at: 5)]).bytes
        var random = SeededRandom(seed: 7)
        for _ in 0..<5_000 {
            var damaged = bytes
            for _ in 0..<3 {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let file = try? ReachabilityFile(parsing: damaged, now: 10)
            #expect(file?.states.count ?? 0 <= 1)
        }
    }
}
