// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import VarlinkService

/// A method of `ConnectionState` with its arguments.
private enum Step {
    case receive(Character?, servesHTTP: Bool = true)
    case requestRead(waiting: Int = 0, mayGrow: Bool = true, isWritable: Bool = true, isReceivingHTTP: Bool = false)
    case endInput
    case beginTurn
    case takesRequest(isWritable: Bool = true)
    case takeUnflushed
    case endTurn
    case rest(waiting: Int = 0, mayGrow: Bool = true, isWritable: Bool = true)
    case phase(unsent: Int = 0, waiting: Int = 0, isReceivingHTTP: Bool = false)
    case start(isOneway: Bool = false, isStream: Bool = false)
    case isRunning(UInt64)
    case reply(UInt64, isLast: Bool = true)
    case mustWait(isWritable: Bool)
    case awaitSecret(UInt64, limit: Int = 10)
    case send(UInt64)
    case secretArrival(waiting: Int, length: Int?)
    case ending(UInt64, hasThrown: Bool = false)
    case endCall(isResponseOver: Bool = false)
    case drain
    case beginClosing
    case close
    case remove
    case isClosing

    /// The result as text.
    func perform(on state: inout ConnectionState) -> String {
        switch self {
        case .receive(let first, let servesHTTP):
            return "\(state.receive(first: first?.asciiValue, servesHTTP: servesHTTP))"
        case .requestRead(let waiting, let mayGrow, let isWritable, let isReceivingHTTP):
            let flow = ConnectionState.Flow(
                waiting: waiting,
                mayGrow: mayGrow,
                isWritable: isWritable,
                isReceivingHTTP: isReceivingHTTP
            )
            return "\(state.requestRead(flow))"
        case .endInput:
            state.endInput()
            return ""
        case .beginTurn: return "\(state.beginTurn())"
        case .takesRequest(let isWritable):
            return "\(state.takesRequest(ConnectionState.Flow(isWritable: isWritable)))"
        case .takeUnflushed: return "\(state.takeUnflushed())"
        case .endTurn:
            state.endTurn()
            return ""
        case .rest(let waiting, let mayGrow, let isWritable):
            let flow = ConnectionState.Flow(waiting: waiting, mayGrow: mayGrow, isWritable: isWritable)
            return "\(state.rest(flow))"
        case .phase(let unsent, let waiting, let isReceivingHTTP):
            let flow = ConnectionState.Flow(waiting: waiting, isReceivingHTTP: isReceivingHTTP)
            return "\(state.phase(flow, unsent: unsent))"
        case .start(let isOneway, let isStream): return "\(state.start(isOneway: isOneway, isStream: isStream))"
        case .isRunning(let id): return "\(state.isRunning(id))"
        case .reply(let id, let isLast): return Self.text(state.reply(to: id, isLast: isLast))
        case .mustWait(let isWritable): return "\(state.mustWait(isWritable: isWritable))"
        case .awaitSecret(let id, let limit):
            switch state.awaitSecret(upTo: limit, for: id) {
            case .refuse(let error): return "\(error)"
            case .wait(let asking, let rests): return "\(asking.map(Self.text) ?? "wait")\(rests ? ", rest" : "")"
            }
        case .send(let id):
            let (delivery, isFirst) = state.send(to: id)
            return Self.text(delivery) + (isFirst ? ", first" : "")
        case .secretArrival(let waiting, let length): return "\(state.secretArrival(waiting: waiting, length: length))"
        case .ending(let id, let hasThrown): return "\(state.ending(of: id, hasThrown: hasThrown))"
        case .endCall(let isResponseOver): return "\(state.endCall(isResponseOver: isResponseOver))"
        case .drain: return "\(state.drain())"
        case .beginClosing: return "\(state.beginClosing())"
        case .close:
            state.close()
            return ""
        case .remove: return "\(state.remove())"
        case .isClosing: return "\(state.isClosing)"
        }
    }

    private static func text(_ delivery: ConnectionState.Delivery) -> String {
        if case .refuse(let error) = delivery { "\(error)" } else { "\(delivery)" }
    }
}

/// A sequence of events, and the result of each.
private struct Course: CustomTestStringConvertible {
    let testDescription: String
    let steps: [(Step, String)]

    init(_ name: String, _ steps: [(Step, String)]) {
        testDescription = name
        self.steps = steps
    }
}

@Suite("State of a connection")
struct ConnectionStateTests {
    private static let frameBytes = 100
    private static let pausedBytes = 50

    private static let protocols = [
        Course("a capital letter begins HTTP, once", [(.receive("G"), "true"), (.receive("G"), "false")]),
        Course("where it is served", [(.receive("P", servesHTTP: false), "false"), (.receive("P"), "false")]),
        Course("a brace begins Varlink", [(.receive("{"), "false"), (.receive("G"), "false")]),
        Course("nothing begins Varlink", [(.receive(nil), "false"), (.receive("G"), "false")]),
    ]

    private static let reading = [
        Course("a request is read to its end", [(.requestRead(), "true"), (.requestRead(waiting: 100), "true")]),
        Course(
            "after a call one read is made in advance, and the next when its requests were started",
            [
                (.start(), "1"), (.requestRead(), "true"), (.requestRead(waiting: 1), "false"),
                (.rest(waiting: 1), "stay(reads: false)"), (.ending(1, hasThrown: true), "replyError"),
                (.endCall(), "false"), (.rest(waiting: 1), "stay(reads: true)"), (.rest(), "stay(reads: false)"),
            ]
        ),
        Course(
            "a peer that does not read is not read from",
            [
                (.requestRead(isWritable: false), "true"), (.requestRead(waiting: 1, isWritable: false), "false"),
                (.rest(waiting: 101, isWritable: false), "stay(reads: false)"),
                (.rest(waiting: 1), "stay(reads: true)"),
            ]
        ),
        Course(
            "a secret is read to its end",
            [
                (.start(), "1"), (.awaitSecret(1), "writeAndFlush, rest"),
                (.requestRead(waiting: 13, isWritable: false), "true"), (.requestRead(waiting: 14), "false"),
                (.secretArrival(waiting: 14, length: 10), "take(10)"), (.rest(), "stay(reads: true)"),
            ]
        ),
        Course(
            "an HTTP request is read to its end, and nothing after it",
            [
                (.receive("G"), "true"), (.requestRead(isReceivingHTTP: true), "true"), (.requestRead(), "false"),
                (.start(), "1"), (.requestRead(), "false"), (.rest(), "stay(reads: false)"),
            ]
        ),
        Course("a connection that closes is not read from", [(.close, ""), (.requestRead(), "false")]),
        Course(
            "nothing is read behind the end",
            [
                (.start(), "1"), (.requestRead(waiting: 1), "false"), (.endInput, ""),
                (.rest(waiting: 0), "stay(reads: false)"),
            ]
        ),
        Course(
            "the end stays the end",
            [
                (.start(), "1"), (.endInput, ""), (.requestRead(waiting: 1), "false"),
                (.ending(1, hasThrown: true), "replyError"), (.endCall(), "false"),
                (.rest(waiting: 0), "closeWhenFlushed"),
            ]
        ),
        Course(
            "after the end, requests are started when the peer reads",
            [
                (.endInput, ""), (.rest(waiting: 1, isWritable: false), "stay(reads: false)"),
                (.rest(waiting: 1), "closeWhenFlushed"), (.rest(isWritable: false), "closeWhenFlushed"),
            ]
        ),
        Course(
            "a long request is refused",
            [(.rest(waiting: 101), "refuse"), (.rest(waiting: 100), "stay(reads: false)")]
        ),
        Course(
            "a long request waits until it is admitted",
            [
                (.requestRead(waiting: 50, mayGrow: false), "false"),
                (.rest(waiting: 50, mayGrow: false), "stay(reads: false)"), (.rest(waiting: 50), "stay(reads: true)"),
                (.receive("P"), "true"), (.requestRead(mayGrow: false, isReceivingHTTP: true), "false"),
            ]
        ),
        Course(
            "a long end of the input is refused",
            [
                (.start(), "1"), (.endInput, ""), (.rest(waiting: 100), "stay(reads: false)"),
                (.rest(waiting: 101), "refuse"), (.rest(waiting: 50, mayGrow: false), "refuse"),
                (.awaitSecret(1), "writeAndFlush, rest"), (.rest(waiting: 101), "stay(reads: false)"),
                (.rest(waiting: 50, mayGrow: false), "stay(reads: false)"),
            ]
        ),
    ]

    private static let calls = [
        Course(
            "one call at a time, in one turn",
            [
                (.beginTurn, "true"), (.beginTurn, "false"), (.takesRequest(), "true"), (.start(), "1"),
                (.takesRequest(), "false"), (.isRunning(1), "true"), (.isRunning(2), "false"), (.reply(1), "write"),
                (.ending(1), "end"), (.endCall(), "false"), (.takesRequest(), "true"), (.takeUnflushed, "true"),
                (.takeUnflushed, "false"), (.endTurn, ""), (.beginTurn, "true"), (.takeUnflushed, "false"),
            ]
        ),
        Course(
            "no call while replies wait for the peer",
            [(.takesRequest(isWritable: false), "false"), (.takesRequest(), "true")]
        ),
        Course(
            "a reply outside of a turn is flushed at once",
            [(.start(), "1"), (.reply(1), "writeAndFlush"), (.ending(1), "end"), (.endCall(), "false")]
        ),
        Course(
            "one last reply, after any number of others",
            [
                (.start(isStream: true), "1"), (.reply(1, isLast: false), "writeAndFlush"),
                (.reply(1, isLast: false), "writeAndFlush"), (.reply(1), "writeAndFlush"),
                (.reply(1), "call was already answered"), (.reply(1, isLast: false), "call was already answered"),
            ]
        ),
        Course(
            "a call that has ended sends nothing",
            [
                (.reply(1), "peer has gone"), (.start(), "1"), (.ending(1, hasThrown: true), "replyError"),
                (.endCall(), "false"), (.reply(1), "peer has gone"), (.ending(1), "ignore"), (.start(), "2"),
                (.reply(1), "peer has gone"), (.reply(2), "writeAndFlush"),
            ]
        ),
        Course("a method without a reply", [(.start(), "1"), (.ending(1), "replyMissing")]),
        Course(
            "a call without a caller",
            [
                (.start(isOneway: true), "1"), (.reply(1, isLast: false), "discard"),
                (.mustWait(isWritable: false), "false"), (.ending(1), "end"), (.endCall(), "false"),
            ]
        ),
        Course(
            "who replies waits for the peer",
            [
                (.start(isStream: true), "1"), (.mustWait(isWritable: true), "false"),
                (.mustWait(isWritable: false), "true"),
            ]
        ),
        Course(
            "the end of an HTTP response ends the connection",
            [(.start(), "1"), (.reply(1), "writeAndFlush"), (.endCall(isResponseOver: true), "true")]
        ),
        Course(
            "without a call there is none to end",
            [(.endCall(), "false"), (.mustWait(isWritable: false), "false")]
        ),
    ]

    private static let secrets = [
        Course(
            "is asked for once, and ends the connection with its call",
            [
                (.start(), "1"), (.awaitSecret(1), "writeAndFlush, rest"),
                (.awaitSecret(1), "a secret is already being read"), (.secretArrival(waiting: 3, length: nil), "none"),
                (.secretArrival(waiting: 13, length: 10), "none"),
                (.secretArrival(waiting: 14, length: 10), "take(10)"),
                (.secretArrival(waiting: 14, length: 10), "none"), (.awaitSecret(1), "wait, rest"),
                (.secretArrival(waiting: 4, length: 0), "take(0)"), (.reply(1), "writeAndFlush"), (.ending(1), "end"),
                (.endCall(), "true"),
            ]
        ),
        Course(
            "within a turn its end looks for the secret",
            [(.beginTurn, "true"), (.start(), "1"), (.awaitSecret(1), "write"), (.takeUnflushed, "true")]
        ),
        Course(
            "may not be too long",
            [
                (.start(), "1"), (.awaitSecret(1), "writeAndFlush, rest"),
                (.secretArrival(waiting: 4, length: 11), "tooLong"), (.awaitSecret(1), "wait, rest"),
            ]
        ),
        Course(
            "that does not come closes, a whole one does not",
            [
                (.start(), "1"), (.awaitSecret(1), "writeAndFlush, rest"), (.endInput, ""),
                (.secretArrival(waiting: 5, length: 1), "take(1)"), (.isClosing, "false"),
                (.awaitSecret(1), "wait, rest"), (.secretArrival(waiting: 0, length: nil), "close"),
                (.isClosing, "true"), (.rest(), "closing"),
            ]
        ),
        Course(
            "is for a call that runs and has not answered",
            [
                (.awaitSecret(1), "peer has gone"), (.start(), "1"), (.awaitSecret(2), "peer has gone"),
                (.reply(1), "writeAndFlush"), (.awaitSecret(1), "call was already answered"),
            ]
        ),
        Course("that nobody awaits is not looked at", [(.secretArrival(waiting: 9, length: 1), "none")]),
    ]

    private static let upgrades = [
        Course(
            "sends bytes after one reply, may be paused, and ends the connection with its call",
            [
                (.start(), "1"), (.send(1), "writeAndFlush, first"), (.send(1), "writeAndFlush"),
                (.phase(unsent: 50), "paused"), (.awaitSecret(1), "call was already answered"),
                (.reply(1), "writeAndFlush"), (.send(1), "call was already answered"), (.ending(1), "end"),
                (.endCall(), "true"),
            ]
        ),
        Course(
            "that runs does not delay the end of the server",
            [(.start(), "1"), (.send(1), "writeAndFlush, first"), (.drain, "true")]
        ),
        Course(
            "is of a call that runs, and receives no secret",
            [
                (.send(1), "peer has gone"), (.start(), "1"), (.send(2), "peer has gone"),
                (.awaitSecret(1), "writeAndFlush, rest"), (.send(1), "a secret is already being read"),
            ]
        ),
    ]

    private static let phases = [
        Course(
            "without a call",
            [
                (.phase(), "idle"), (.phase(waiting: 1), "receiving"), (.phase(isReceivingHTTP: true), "receiving"),
                (.phase(unsent: 1, waiting: 1), "unread"),
            ]
        ),
        Course(
            "with one",
            [
                (.start(), "1"), (.phase(waiting: 1), "running"), (.phase(unsent: 1), "unread"),
                (.awaitSecret(1), "writeAndFlush, rest"), (.phase(), "awaitingSecret"),
                (.secretArrival(waiting: 5, length: 1), "take(1)"), (.phase(), "running"),
            ]
        ),
        Course(
            "a stream may be paused, also at its end, within a limit",
            [
                (.start(isStream: true), "1"), (.phase(unsent: 1), "unread"),
                (.reply(1, isLast: false), "writeAndFlush"), (.phase(unsent: 50), "paused"),
                (.phase(unsent: 51), "unread"), (.reply(1), "writeAndFlush"), (.ending(1), "end"),
                (.endCall(), "false"), (.phase(unsent: 50), "paused"), (.phase(), "idle"), (.beginClosing, "true"),
                (.phase(unsent: 50), "paused"),
            ]
        ),
        Course(
            "the next call ends the pause",
            [
                (.start(isStream: true), "1"), (.reply(1, isLast: false), "writeAndFlush"),
                (.reply(1), "writeAndFlush"), (.ending(1), "end"), (.endCall(), "false"), (.start(), "2"),
                (.phase(unsent: 1), "unread"),
            ]
        ),
        Course(
            "towards the end only replies have a limit",
            [(.start(), "1"), (.close, ""), (.phase(unsent: 1), "unread"), (.phase(waiting: 1), "idle")]
        ),
    ]

    private static let ends = [
        Course("a server that stops closes what is idle", [(.drain, "true"), (.isClosing, "false")]),
        Course("and what streams", [(.start(isStream: true), "1"), (.drain, "true")]),
        Course(
            "and what calls after the call",
            [
                (.start(), "1"), (.drain, "false"), (.drain, "false"), (.reply(1), "writeAndFlush"),
                (.ending(1), "end"),
                (.endCall(), "true"), (.beginClosing, "true"), (.beginClosing, "false"), (.takesRequest(), "false"),
                (.rest(), "closing"),
            ]
        ),
        Course(
            "what closes sends no reply",
            [(.start(), "1"), (.beginClosing, "true"), (.reply(1), "discard"), (.drain, "false"), (.isClosing, "true")]
        ),
        Course("a closed one begins no end", [(.close, ""), (.beginClosing, "false"), (.remove, "false")]),
        Course(
            "what has gone leaves its call",
            [
                (.start(), "1"), (.remove, "true"), (.remove, "false"), (.reply(1), "peer has gone"),
                (.ending(1), "ignore"),
            ]
        ),
        Course("the end of the input closes an idle one", [(.endInput, ""), (.rest(), "closeWhenFlushed")]),
    ]

    private static func check(_ course: Course) {
        var state = ConnectionState(frameBytes: frameBytes, pausedBytes: pausedBytes)
        for (index, (step, expected)) in course.steps.enumerated() {
            let result = step.perform(on: &state)
            #expect(result == expected, "step \(index + 1): \(step)")
        }
    }

    @Test("the first byte selects the protocol", arguments: protocols)
    private func decidesProtocol(course: Course) { Self.check(course) }

    @Test("reading stops while a call runs", arguments: reading)
    private func reads(course: Course) { Self.check(course) }

    @Test("calls are started and answered in order", arguments: calls)
    private func callsAndReplies(course: Course) { Self.check(course) }

    @Test("a secret is requested and received", arguments: secrets)
    private func secret(course: Course) { Self.check(course) }

    @Test("bytes are sent after an upgrade", arguments: upgrades)
    private func upgrade(course: Course) { Self.check(course) }

    @Test("the clock has the phases of the connection", arguments: phases)
    private func clockPhases(course: Course) { Self.check(course) }

    @Test("unread replies time out unless the peer takes enough of them")
    func unreadReplies() {
        var limits = VarlinkLimits()
        limits.stallTime = .seconds(30)
        limits.progressBytes = 4_096
        let start = NIODeadline.now()
        func deadline(_ course: [(phase: ConnectionClock.Phase, taken: Int, second: Int64)]) -> Int64? {
            var clock = ConnectionClock(limits, now: start)
            for step in course { clock.enter(step.phase, taken: step.taken, now: start + .seconds(step.second)) }
            return clock.deadline.map { ($0 - start).nanoseconds / 1_000_000_000 }
        }
        #expect(deadline([(.unread, 100, 1)]) == 31)
        #expect(deadline([(.unread, 100, 1), (.unread, 100 + 4_095, 20)]) == 31)
        #expect(deadline([(.unread, 100, 1), (.unread, 100 + 4_096, 20)]) == 50)
        #expect(deadline([(.unread, 0, 1), (.unread, 4_096, 20), (.unread, 8_191, 40)]) == 50)
        #expect(deadline([(.unread, 0, 1), (.running, 10, 2), (.unread, 10, 20)]) == 50)
        #expect(deadline([(.unread, 0, 1), (.paused, 0, 2)]) == nil)
        #expect(deadline([(.running, 0, 1)]) == nil)
        #expect(deadline([(.idle, 0, 1), (.idle, 0, 5)]) == 65)
        #expect(deadline([(.receiving, 0, 1), (.receiving, 0, 5)]) == 6)
    }

    @Test("a call does not restart the time of unread replies")
    func callsDuringUnreadReplies() {
        let start = NIODeadline.now()
        var clock = ConnectionClock(VarlinkLimits(), now: start)
        clock.enter(.unread, taken: 0, now: start)
        clock.callStarted()
        #expect(clock.deadline == start + .seconds(30))
        clock.enter(.idle, taken: 0, now: start)
        clock.callStarted()
        #expect(clock.deadline == nil)
    }

    @Test("the connection ends in each way", arguments: ends)
    private func closes(course: Course) { Self.check(course) }
}
