// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TestSupport
import Testing

@testable import Broker

@Suite struct SessionStateTests {
    private let start = NIODeadline.now()
    private let refusal = BrokerError.loginRejected(login: "l", reason: "no")

    private enum Phase: CaseIterable {
        case idle, loggingIn, open, refused, blocked, closed
    }

    private func state(in phase: Phase) -> SessionState {
        var state = SessionState(maximumRelogins: 1)
        switch phase {
        case .idle: break
        case .loggingIn: _ = state.wanted(at: start)
        case .open: open(&state)
        case .refused:
            _ = state.wanted(at: start)
            state.loginEnded(.refused(refusal))
        case .blocked:
            open(&state)
            _ = state.lost(1, at: start)
            state.loginEnded(.succeeded)
            _ = state.lost(2, at: start)
        case .closed: state.close()
        }
        return state
    }

    private func open(_ state: inout SessionState) {
        _ = state.wanted(at: start)
        state.loginEnded(.succeeded)
    }

    @Test("a caller is served as the phase says")
    func wanted() {
        let expected: [Phase: SessionState.Step] = [
            .idle: .logIn, .loggingIn: .wait, .open: .use(1), .refused: .fail(refusal),
            .blocked: .fail(.reloginBlocked), .closed: .fail(.closed),
        ]
        for phase in Phase.allCases {
            var state = state(in: phase)
            #expect(state.wanted(at: start) == expected[phase], "\(phase)")
        }
    }

    @Test("a lost session leads to a login in the phase open alone")
    func lost() {
        let expected: [Phase: SessionState.Step] = [
            .idle: .logIn, .loggingIn: .wait, .open: .logIn, .refused: .fail(refusal),
            .blocked: .fail(.reloginBlocked), .closed: .fail(.closed),
        ]
        for phase in Phase.allCases {
            var state = state(in: phase)
            let generation = state.generation
            #expect(state.lost(generation, at: start) == expected[phase], "\(phase)")
        }
    }

    @Test("the end of a login counts only while one is under way")
    func loginEnded() {
        for phase in Phase.allCases where phase != .loggingIn {
            for outcome in [.succeeded, .refused(refusal), .failed, .notSent] as [SessionState.LoginOutcome] {
                let before = state(in: phase)
                var after = before
                after.loginEnded(outcome)
                var (one, other) = (before, after)
                #expect(one.wanted(at: start) == other.wanted(at: start), "\(phase) \(outcome)")
                #expect(before.generation == after.generation)
            }
        }
    }

    @Test("closing is final, and only refusals and blocks are lifted")
    func closeAndResume() {
        for phase in Phase.allCases {
            var closed = state(in: phase)
            closed.close()
            closed.resume()
            closed.loginEnded(.succeeded)
            #expect(closed.wanted(at: start) == .fail(.closed))
            #expect(closed.isClosed && !closed.isOpen)

            var resumed = state(in: phase)
            #expect(resumed.holdsBackPassword(at: start) == [.refused, .blocked].contains(phase))
            var untouched = resumed
            resumed.resume()
            let isLifted = [.refused, .blocked].contains(phase)
            #expect(resumed.wanted(at: start) == (isLifted ? .logIn : untouched.wanted(at: start)), "\(phase)")
        }
    }

    @Test("of many callers one logs in, and of many that lost one session one logs in again")
    func singleFlight() {
        var state = SessionState(maximumRelogins: nil)
        #expect((0..<50).map { _ in state.wanted(at: start) }.count { $0 == .logIn } == 1)
        state.loginEnded(.succeeded)
        #expect((0..<50).map { _ in state.lost(1, at: start) }.count { $0 == .logIn } == 1)
        state.loginEnded(.succeeded)
        #expect(state.lost(1, at: start) == .use(2))
    }

    @Test("a peer that proves nothing gets the password again three times in ten minutes, then later again")
    func blocked() {
        var state = SessionState(maximumRelogins: 3)
        open(&state)
        for generation in 1...3 {
            #expect(state.lost(generation, at: start + .minutes(Int64(generation))) == .logIn)
            state.loginEnded(.succeeded)
        }
        #expect(state.lost(4, at: start + .minutes(4)) == .fail(.reloginBlocked))
        let free = start + .minutes(11)
        #expect(state.wanted(at: free - .nanoseconds(1)) == .fail(.reloginBlocked))
        #expect(state.holdsBackPassword(at: free - .nanoseconds(1)))
        #expect(!state.holdsBackPassword(at: free))
        #expect(state.wanted(at: free) == .logIn)
        state.loginEnded(.succeeded)
        // The login after the block counts too: relogins at 2, 3 and 11 minutes are in the window.
        #expect(state.lost(5, at: free) == .fail(.reloginBlocked))
    }

    @Test("at no time more than three logins again within any ten minutes", arguments: [1, 2, 3, 4, 5] as [UInt64])
    func window(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var state = SessionState(maximumRelogins: 3)
        open(&state)
        var now = start
        var logins: [NIODeadline] = []
        for _ in 0..<2_000 {
            now = now + .seconds(Int64.random(in: 0...200, using: &random))
            guard state.lost(state.generation, at: now) == .logIn else { continue }
            logins.append(now)
            state.loginEnded([.succeeded, .failed].randomElement(using: &random) ?? .failed)
        }
        #expect(logins.count > 100)
        for (index, login) in logins.enumerated() where index >= 3 {
            #expect(login >= logins[index - 3] + SessionState.reloginWindow)
        }
    }

    @Test("a peer that proves nothing and fails logins is blocked, a server that is down is not")
    func failures() {
        var state = SessionState(maximumRelogins: 3)
        for _ in 0..<100 {
            #expect(state.wanted(at: start) == .logIn)
            state.loginEnded(.notSent)
        }
        for _ in 0..<4 {
            #expect(state.wanted(at: start) == .logIn)
            state.loginEnded(.failed)
        }
        #expect(state.wanted(at: start) == .fail(.reloginBlocked))
    }

    @Test("a peer that has proved who it is gets any number of logins")
    func proved() {
        var state = SessionState(maximumRelogins: nil)
        open(&state)
        for generation in 1...100 {
            #expect(state.lost(generation, at: start) == .logIn)
            state.loginEnded(.succeeded)
        }
    }

    @Test("a server that moved is logged in to anew, once")
    func moved() {
        var state = state(in: .open)
        state.moved(0)
        #expect(state.wanted(at: start) == .use(1))
        state.moved(1)
        #expect(state.wanted(at: start) == .logIn)
        #expect(state.wanted(at: start) == .wait)
    }
}
