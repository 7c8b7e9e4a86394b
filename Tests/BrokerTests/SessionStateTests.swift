// SPDX-License-Identifier: Apache-2.0

import Endpoints
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
        var state = SessionState(ReloginLimit(count: 1, window: .minutes(10), isOnTrust: true))
        switch phase {
        case .idle: break
        case .loggingIn: _ = state.wanted(at: start)
        case .open: open(&state)
        case .refused:
            _ = state.wanted(at: start)
            state.loginEnded(.refused(refusal), at: start)
        case .blocked:
            open(&state)
            _ = state.lost(1, at: start)
            state.loginEnded(.succeeded, at: start)
            _ = state.lost(2, at: start)
        case .closed: state.close()
        }
        return state
    }

    private func open(_ state: inout SessionState) {
        _ = state.wanted(at: start)
        state.loginEnded(.succeeded, at: start)
    }

    @Test("the state serves a caller according to its phase")
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

    @Test("a lost session causes a login only in the phase open")
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

    @Test("the end of a login counts only while one is running")
    func loginEnded() {
        for phase in Phase.allCases where phase != .loggingIn {
            for outcome in [.succeeded, .refused(refusal), .failed, .notSent] as [SessionState.LoginOutcome] {
                let before = state(in: phase)
                var after = before
                after.loginEnded(outcome, at: start)
                var (one, other) = (before, after)
                #expect(one.wanted(at: start) == other.wanted(at: start), "\(phase) \(outcome)")
                #expect(before.generation == after.generation)
            }
        }
    }

    @Test("closing is final, and only refusals and blocks can be removed")
    func closeAndResume() {
        for phase in Phase.allCases {
            var closed = state(in: phase)
            closed.close()
            closed.resume()
            closed.loginEnded(.succeeded, at: start)
            #expect(closed.wanted(at: start) == .fail(.closed))
            #expect(closed.isClosed && !closed.isOpen)

            var resumed = state(in: phase)
            #expect(resumed.withholdsPassword(at: start) == [.refused, .blocked].contains(phase))
            var untouched = resumed
            resumed.resume()
            let isLifted = [.refused, .blocked].contains(phase)
            #expect(resumed.wanted(at: start) == (isLifted ? .logIn : untouched.wanted(at: start)), "\(phase)")
        }
    }

    @Test("of many callers only one logs in, and of many that lost one session only one logs in again")
    func singleFlight() {
        var state = SessionState(.proved)
        #expect((0..<50).map { _ in state.wanted(at: start) }.count { $0 == .logIn } == 1)
        state.loginEnded(.succeeded, at: start)
        #expect((0..<50).map { _ in state.lost(1, at: start) }.count { $0 == .logIn } == 1)
        state.loginEnded(.succeeded, at: start)
        #expect(state.lost(1, at: start) == .use(2))
    }

    @Test("a peer without proof of identity gets the password three times in ten minutes, and again later")
    func blocked() {
        var state = SessionState(.onTrust)
        open(&state)
        for generation in 1...3 {
            let now = start + .minutes(Int64(generation))
            #expect(state.lost(generation, at: now) == .logIn)
            state.loginEnded(.succeeded, at: now)
        }
        #expect(state.lost(4, at: start + .minutes(4)) == .fail(.reloginBlocked))
        let free = start + .minutes(11)
        #expect(state.wanted(at: free - .nanoseconds(1)) == .fail(.reloginBlocked))
        #expect(state.withholdsPassword(at: free - .nanoseconds(1)))
        #expect(!state.withholdsPassword(at: free))
        #expect(state.wanted(at: free) == .logIn)
        state.loginEnded(.succeeded, at: free)
        // The login after the block counts too: relogins at 2, 3 and 11 minutes are in the window.
        #expect(state.lost(5, at: free) == .fail(.reloginBlocked))
    }

    @Test("there are never more than three renewed logins within ten minutes", arguments: [1, 2, 3, 4, 5] as [UInt64])
    func window(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var state = SessionState(.onTrust)
        open(&state)
        var now = start
        var logins: [NIODeadline] = []
        for _ in 0..<2_000 {
            now = now + .seconds(Int64.random(in: 0...200, using: &random))
            guard state.lost(state.generation, at: now) == .logIn else { continue }
            logins.append(now)
            state.loginEnded([.succeeded, .failed].randomElement(using: &random) ?? .failed, at: now)
        }
        #expect(logins.count > 100)
        for (index, login) in logins.enumerated() where index >= 3 {
            #expect(login >= logins[index - 3] + ReloginLimit.onTrust.window)
        }
    }

    @Test("a peer without proof of identity that fails logins is blocked, and a server that is down is not")
    func failures() {
        var state = SessionState(.onTrust)
        for _ in 0..<100 {
            #expect(state.wanted(at: start) == .logIn)
            state.loginEnded(.notSent, at: start)
        }
        for _ in 0..<4 {
            #expect(state.wanted(at: start) == .logIn)
            state.loginEnded(.failed, at: start)
        }
        #expect(state.wanted(at: start) == .fail(.reloginBlocked))
    }

    @Test("a peer with proof of identity gets only as many logins as very short sessions need")
    func proved() {
        var state = SessionState(.proved)
        open(&state)
        for generation in 1...30 {
            #expect(state.lost(generation, at: start) == .logIn)
            state.loginEnded(.succeeded, at: start)
        }
        #expect(state.lost(31, at: start) == .fail(.reloginBlocked))
        #expect(state.wanted(at: start + .minutes(1)) == .logIn)
    }

    @Test("sessions count each other's logins to the same endpoint")
    func history() {
        var first = SessionState(.onTrust)
        open(&first)
        for generation in 1...3 {
            #expect(first.lost(generation, at: start) == .logIn)
            first.loginEnded(.succeeded, at: start)
        }
        var next = SessionState(.onTrust)
        next.learn(relogins: first.relogins)
        #expect(next.wanted(at: start + .minutes(9)) == .fail(.reloginBlocked))
        #expect(next.wanted(at: start + .minutes(10)) == .logIn)
    }

    @Test("a login counts before its password is sent, and not if it is not sent")
    func reservation() {
        var sessions = (0..<12).map { _ in SessionState(.onTrust) }
        for index in sessions.indices { open(&sessions[index]) }
        var book: [NIODeadline] = []
        var steps: [SessionState.Step] = []
        for index in sessions.indices {
            sessions[index].learn(relogins: book)
            steps.append(sessions[index].lost(1, at: start))
            book = sessions[index].relogins
        }
        #expect(steps.count { $0 == .logIn } == 3 && steps.count { $0 == .fail(.reloginBlocked) } == 9)
        for (index, outcome) in [SessionState.LoginOutcome.notSent, .spared(refusal), .failed].enumerated() {
            if index == 1 { sessions[index].close() }
            sessions[index].learn(relogins: book)
            sessions[index].loginEnded(outcome, at: start)
            book = sessions[index].relogins
            #expect(book.count == [2, 1, 1][index])
        }
        #expect(sessions[2].wanted(at: start) == .logIn)
    }

    @Test("a login that another session was refused is not sent, and the refusal is final for this session too")
    func spared() {
        var state = SessionState(.proved)
        #expect(state.wanted(at: start) == .logIn)
        state.loginEnded(.spared(refusal), at: start)
        #expect(state.wanted(at: start) == .fail(refusal))
        #expect(state.withholdsPassword(at: start))
    }

    @Test("a session that was idle for ten minutes is replaced once before its next use, and logged out")
    func renewal() {
        var state = state(in: .open)
        var now = start
        for _ in 0..<5 {
            now = now + SessionState.freshness
            #expect(state.wanted(at: now) == .use(1))
        }
        now = now + SessionState.freshness + .nanoseconds(1)
        #expect(!state.isReplacing)
        #expect(state.wanted(at: now) == .logIn)
        #expect(state.isReplacing)
        #expect(state.wanted(at: now) == .wait)
        state.loginEnded(.succeeded, at: now)
        #expect(state.wanted(at: now) == .use(2))
        #expect(!state.isReplacing)

        var anonymous = SessionState(.proved, isRenewed: false)
        open(&anonymous)
        #expect(anonymous.wanted(at: now) == .use(1))
    }

    @Test("after a second failed connection callers wait for a growing time, and then one tries for all")
    func outage() {
        var random = SeededRandom(seed: 1)
        for isOpen in [true, false] {
            var state = SessionState(.onTrust)
            if isOpen { open(&state) }
            let go: SessionState.Step = isOpen ? .use(1) : .logIn
            func fails(at now: NIODeadline) {
                if !isOpen { state.loginEnded(.notSent, at: now) }
                state.unreachable(StateReason(code: .noAnswer), at: now, using: &random)
            }
            var now = start
            #expect(state.wanted(at: now) == go)
            fails(at: now)
            #expect(state.wanted(at: now) == go)
            fails(at: now)
            var pauses: [TimeAmount] = []
            for _ in 0..<10 {
                let failed = now
                while case .fail(let error) = state.wanted(at: now) {
                    #expect(error == .unreachable(StateReason(code: .noAnswer)))
                    now = now + .milliseconds(1)
                }
                pauses.append(now - failed)
                if isOpen { #expect(state.wanted(at: now) == .fail(.unreachable(StateReason(code: .noAnswer)))) }
                fails(at: now)
            }
            #expect(pauses[0] >= .milliseconds(125) && pauses[0] <= .milliseconds(251))
            #expect(pauses.allSatisfy { $0 <= .seconds(5) } && pauses[9] > .seconds(2))
            #expect(Set(pauses.suffix(4)).count > 1)
            state.reached()
            #expect(state.wanted(at: now) == go)
        }
    }

    @Test("an adapter that is opened during an outage does not take the attempt from the next call")
    func openedDuringOutage() {
        var random = SeededRandom(seed: 1)
        var state = state(in: .open)
        for _ in 1...2 { state.unreachable(StateReason(code: .noAnswer), at: start, using: &random) }
        #expect(state.wanted(at: start, isSending: false) == .fail(.unreachable(StateReason(code: .noAnswer))))
        let later = start + .seconds(6)
        #expect(state.wanted(at: later, isSending: false) == .use(1))
        #expect(state.wanted(at: later) == .use(1))
        #expect(state.wanted(at: later) == .fail(.unreachable(StateReason(code: .noAnswer))))
    }

    @Test("the session logs in again once to a server that has moved")
    func moved() {
        var state = state(in: .open)
        state.moved(0)
        #expect(state.wanted(at: start) == .use(1))
        state.moved(1)
        #expect(state.wanted(at: start) == .logIn)
        #expect(state.wanted(at: start) == .wait)
    }
}
