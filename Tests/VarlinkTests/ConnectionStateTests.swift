// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import VarlinkService

/// A method of `ConnectionState` with its arguments.
private enum Step {
    case receive(Character?, servesHTTP: Bool = true)
    case requestRead(waiting: Int)
    case endInput
    case beginTurn
    case takesRequest
    case endTurn
    case rest(waiting: Int = 0)
    case phase(isWritable: Bool = true, waiting: Int = 0, isReceivingHTTP: Bool = false)
    case start(isOneway: Bool = false, isStream: Bool = false)
    case isRunning(UInt64)
    case reply(UInt64, isLast: Bool = true)
    case mustWait(isWritable: Bool)
    case awaitSecret(UInt64, limit: Int = 10)
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
        case .requestRead(let waiting): return "\(state.requestRead(waiting: waiting))"
        case .endInput:
            state.endInput()
            return ""
        case .beginTurn: return "\(state.beginTurn())"
        case .takesRequest: return "\(state.takesRequest)"
        case .endTurn: return "\(state.endTurn())"
        case .rest(let waiting): return "\(state.rest(waiting: waiting))"
        case .phase(let isWritable, let waiting, let isReceivingHTTP):
            let phase = state.phase(isWritable: isWritable, waiting: waiting, isReceivingHTTP: isReceivingHTTP)
            return phase.map { "\($0)" } ?? "none"
        case .start(let isOneway, let isStream): return "\(state.start(isOneway: isOneway, isStream: isStream))"
        case .isRunning(let id): return "\(state.isRunning(id))"
        case .reply(let id, let isLast): return Self.text(state.reply(to: id, isLast: isLast))
        case .mustWait(let isWritable): return "\(state.mustWait(isWritable: isWritable))"
        case .awaitSecret(let id, let limit):
            switch state.awaitSecret(upTo: limit, for: id) {
            case .refuse(let error): return "\(error)"
            case .wait(let asking, let rests): return "\(asking.map(Self.text) ?? "wait")\(rests ? ", rest" : "")"
            }
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
    /// More than may wait for a call: a secret, and its length.
    private static let full = VarlinkCall.maximumSecretBytes + 5

    private static let protocols = [
        Course("a capital letter begins HTTP, once", [(.receive("G"), "true"), (.receive("G"), "false")]),
        Course("where it is served", [(.receive("P", servesHTTP: false), "false"), (.receive("P"), "false")]),
        Course("a brace begins Varlink", [(.receive("{"), "false"), (.receive("G"), "false")]),
        Course("nothing begins Varlink", [(.receive(nil), "false"), (.receive("G"), "false")]),
    ]

    private static let reading = [
        Course("without a call all is read", [(.requestRead(waiting: full), "true")]),
        Course(
            "behind a call as much as a secret is read, and the rest when there is room",
            [
                (.start(), "1"), (.requestRead(waiting: full - 1), "true"), (.requestRead(waiting: full), "false"),
                (.rest(waiting: full), "stay(reads: false)"), (.rest(waiting: full - 1), "stay(reads: true)"),
                (.rest(waiting: 0), "stay(reads: false)"),
            ]
        ),
        Course(
            "nothing is read behind the end",
            [
                (.start(), "1"), (.requestRead(waiting: full), "false"), (.endInput, ""),
                (.rest(waiting: 0), "stay(reads: false)"),
            ]
        ),
        Course(
            "the end stays the end",
            [
                (.start(), "1"), (.endInput, ""), (.requestRead(waiting: full), "false"),
                (.ending(1, hasThrown: true), "replyError"), (.endCall(), "false"),
                (.rest(waiting: 0), "closeWhenFlushed"),
            ]
        ),
        Course(
            "a long request is refused",
            [(.rest(waiting: 101), "refuse"), (.rest(waiting: 100), "stay(reads: false)")]
        ),
    ]

    private static let calls = [
        Course(
            "one call at a time, in one turn",
            [
                (.beginTurn, "true"), (.beginTurn, "false"), (.takesRequest, "true"), (.start(), "1"),
                (.takesRequest, "false"), (.isRunning(1), "true"), (.isRunning(2), "false"), (.reply(1), "write"),
                (.ending(1), "end"), (.endCall(), "false"), (.takesRequest, "true"), (.endTurn, "true"),
                (.beginTurn, "true"), (.endTurn, "false"),
            ]
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
            [(.beginTurn, "true"), (.start(), "1"), (.awaitSecret(1), "write"), (.endTurn, "true")]
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

    private static let phases = [
        Course(
            "without a call",
            [
                (.phase(), "idle"), (.phase(waiting: 1), "receiving"), (.phase(isReceivingHTTP: true), "receiving"),
                (.phase(isWritable: false, waiting: 1), "stalled"),
            ]
        ),
        Course(
            "with one",
            [
                (.start(), "1"), (.phase(waiting: 1), "running"), (.phase(isWritable: false), "stalled"),
                (.awaitSecret(1), "writeAndFlush, rest"), (.phase(), "awaitingSecret"),
                (.secretArrival(waiting: 5, length: 1), "take(1)"), (.phase(), "running"),
            ]
        ),
        Course("towards the end there is none", [(.close, ""), (.phase(isWritable: false), "none")]),
    ]

    private static let ends = [
        Course("a server that stops closes what is idle", [(.drain, "true"), (.isClosing, "false")]),
        Course("and what streams", [(.start(isStream: true), "1"), (.drain, "true")]),
        Course(
            "and what calls after the call",
            [
                (.start(), "1"), (.drain, "false"), (.drain, "false"), (.reply(1), "writeAndFlush"),
                (.ending(1), "end"),
                (.endCall(), "true"), (.beginClosing, "true"), (.beginClosing, "false"), (.takesRequest, "false"),
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
        var state = ConnectionState(frameBytes: frameBytes)
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

    @Test("the clock has the phases of the connection", arguments: phases)
    private func clockPhases(course: Course) { Self.check(course) }

    @Test("the connection ends in each way", arguments: ends)
    private func closes(course: Course) { Self.check(course) }
}
