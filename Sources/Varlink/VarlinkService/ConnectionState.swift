// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The state machine of a connection: one call at a time, replies in the order of the requests.
///
/// It has no effects. Each method handles an event, and returns the action that `ConnectionHandler` executes.
struct ConnectionState: ~Copyable {
    private enum Wire {
        case undecided
        case varlink
        case http
    }

    private enum Input {
        case open
        /// NIO has requested a read, which waits until the received requests were started.
        case heldBack
        case ended
    }

    /// Detects re-entry: a call may end while its request is still being started.
    private enum Turn {
        case none
        case starting(isUnflushed: Bool)
    }

    private enum Life {
        case open
        /// The connection closes after the running call.
        case draining
        /// The connection closes when everything is flushed, or is closed.
        case closing
    }

    private enum Upgrade {
        case none
        /// The connection receives secrets, and closes after the call.
        case asked
        case awaiting(limit: Int)
        /// Bytes are sent that are no replies, and the connection closes after the last reply.
        case sending
    }

    private struct Call {
        let id: UInt64
        let isOneway: Bool
        var isStream: Bool
        var hasReplied = false
        var upgrade = Upgrade.none
    }

    private var wire = Wire.undecided
    private var input = Input.open
    private var turn = Turn.none
    private var life = Life.open
    private var call: Call?
    /// Whether the last reply was one of several.
    private var isStreaming = false
    private var lastID: UInt64 = 0
    private let frameBytes: Int
    private let pausedBytes: Int

    /// What the handler observes of its connection.
    struct Flow {
        /// The number of bytes that were received and not used.
        var waiting = 0
        /// Whether `waiting` may grow: it is short, or `LongRequests` has admitted it.
        var mayGrow = true
        /// Whether the unsent replies are fewer than `VarlinkLimits.outboundBytes`.
        var isWritable = true
        /// Whether an HTTP request is incomplete.
        var isReceivingHTTP = false
    }

    /// Makes the state of a new connection.
    ///
    /// - Parameters:
    ///   - frameBytes: the limit of a request.
    ///   - pausedBytes: `VarlinkLimits.pausedBytes`.
    init(frameBytes: Int, pausedBytes: Int = 0) {
        self.frameBytes = frameBytes
        self.pausedBytes = pausedBytes
    }

    var isClosing: Bool { if case .closing = life { true } else { false } }

    // MARK: Bytes

    /// Chooses the protocol by the first byte: HTTP methods are upper case, and a JSON object begins with another
    /// character.
    ///
    /// - Returns: whether the connection switches to HTTP; true at most once.
    mutating func receive(first byte: UInt8?, servesHTTP: Bool) -> Bool {
        guard case .undecided = wire else { return false }
        let isUpper = byte.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
        wire = servesHTTP && isUpper ? .http : .varlink
        return servesHTTP && isUpper
    }

    /// Handles that NIO requests a read.
    ///
    /// - Returns: whether to pass the request on. If not, `rest` does so when the input is needed.
    mutating func requestRead(_ flow: Flow) -> Bool {
        if needsInput(flow) { return true }
        if case .open = input { input = .heldBack }
        return false
    }

    /// Handles that the peer has closed its side of the connection.
    mutating func endInput() { input = .ended }

    private mutating func takeHeldRead(_ flow: Flow) -> Bool {
        guard case .heldBack = input, needsInput(flow) else { return false }
        input = .open
        return true
    }

    /// Whether to read. Other input stays in the kernel, which then makes the peer wait.
    private func needsInput(_ flow: Flow) -> Bool {
        guard !isClosing else { return false }
        if case .http = wire { return flow.isReceivingHTTP && flow.mayGrow }
        if case .awaiting(let limit) = call?.upgrade { return flow.waiting < 4 + limit }
        // One read in advance saves two system calls for each call that does not end immediately.
        return flow.waiting == 0 || takesRequest(flow) && flow.mayGrow
    }

    // MARK: Turns

    /// Begins a turn.
    ///
    /// - Returns: false during a turn, which then handles the new input too.
    mutating func beginTurn() -> Bool {
        guard case .none = turn else { return false }
        turn = .starting(isUnflushed: false)
        return true
    }

    /// Whether another request can be started. It waits while replies wait for the peer, so that a peer that does not
    /// read gets no further ones.
    func takesRequest(_ flow: Flow) -> Bool { call == nil && !isClosing && flow.isWritable }

    /// - Returns: whether replies of this turn must be flushed.
    mutating func takeUnflushed() -> Bool {
        guard case .starting(isUnflushed: true) = turn else { return false }
        turn = .starting(isUnflushed: false)
        return true
    }

    mutating func endTurn() { turn = .none }

    enum Rest: Equatable {
        /// The connection is already closing.
        case closing
        /// Close without a reply: the request is too long.
        case refuse
        case closeWhenFlushed
        case stay(reads: Bool)
    }

    /// The action when no further call can be started.
    mutating func rest(_ flow: Flow) -> Rest {
        guard !isClosing else { return .closing }
        if case .ended = input, isTooLong(flow) { return .refuse }
        if takesRequest(flow) || call == nil && flow.waiting == 0 {
            if flow.waiting > frameBytes { return .refuse }
            if case .ended = input { return .closeWhenFlushed }
        }
        return .stay(reads: takeHeldRead(flow))
    }

    /// Whether more has arrived than was asked for: at the end of the input NIO reads all of it.
    private func isTooLong(_ flow: Flow) -> Bool {
        if case .awaiting = call?.upgrade, flow.waiting <= VarlinkCall.maximumSecretBytes + 4 { return false }
        return !flow.mayGrow || flow.waiting > frameBytes
    }

    /// The phase for the time limit.
    ///
    /// - Parameter unsent: the bytes of replies that wait for the peer.
    func phase(_ flow: Flow, unsent: Int) -> ConnectionClock.Phase {
        guard unsent == 0 else { return isStreaming && unsent <= pausedBytes ? .paused : .unread }
        guard !isClosing else { return .idle }
        guard let call else { return flow.waiting > 0 || flow.isReceivingHTTP ? .receiving : .idle }
        if case .awaiting = call.upgrade { return .awaitingSecret }
        return .running
    }

    // MARK: Calls

    /// Starts a call.
    ///
    /// - Returns: the ID of the call.
    mutating func start(isOneway: Bool, isStream: Bool) -> UInt64 {
        lastID += 1
        isStreaming = false
        call = Call(id: lastID, isOneway: isOneway, isStream: isStream)
        return lastID
    }

    func isRunning(_ id: UInt64) -> Bool { call?.id == id }

    enum Delivery: Equatable {
        case refuse(VarlinkCallError)
        /// Drop the reply, because no peer will read it.
        case discard
        /// Write the reply. The end of the turn flushes it.
        case write
        case writeAndFlush
    }

    /// Handles a reply of call `id`.
    mutating func reply(to id: UInt64, isLast: Bool) -> Delivery {
        guard let call, call.id == id else { return .refuse(.peerGone) }
        guard !call.hasReplied else { return .refuse(.alreadyReplied) }
        if isLast { self.call?.hasReplied = true } else { isStreaming = true }
        return delivery(isOneway: call.isOneway)
    }

    /// Handles bytes of call `id` that are no reply.
    ///
    /// - Returns: the delivery, and whether the reply that begins the upgrade is sent before them.
    mutating func send(to id: UInt64) -> (delivery: Delivery, isFirst: Bool) {
        guard let call, call.id == id else { return (.refuse(.peerGone), false) }
        guard !call.hasReplied else { return (.refuse(.alreadyReplied), false) }
        switch call.upgrade {
        case .awaiting, .asked: return (.refuse(.alreadyReading), false)
        case .none, .sending: break
        }
        let isFirst = if case .none = call.upgrade { true } else { false }
        self.call?.upgrade = .sending
        self.call?.isStream = true
        isStreaming = true
        return (delivery(isOneway: call.isOneway), isFirst)
    }

    private mutating func delivery(isOneway: Bool) -> Delivery {
        guard !isOneway, !isClosing else { return .discard }
        guard case .starting = turn else { return .writeAndFlush }
        turn = .starting(isUnflushed: true)
        return .write
    }

    /// Whether the sender of a reply must wait until the peer has read more.
    func mustWait(isWritable: Bool) -> Bool { !isWritable && call?.isOneway == false }

    enum SecretRequest: Equatable {
        case refuse(VarlinkCallError)
        /// - Parameters:
        ///   - asking: the delivery of the reply that requests the secret; nil after the first secret.
        ///   - rests: whether no turn is running that would check for the secret.
        case wait(asking: Delivery?, rests: Bool)
    }

    /// Handles that call `id` needs a secret.
    mutating func awaitSecret(upTo limit: Int, for id: UInt64) -> SecretRequest {
        guard let call, call.id == id else { return .refuse(.peerGone) }
        guard !call.hasReplied else { return .refuse(.alreadyReplied) }
        var asking: Delivery?
        switch call.upgrade {
        case .awaiting: return .refuse(.alreadyReading)
        case .none: asking = delivery(isOneway: call.isOneway)
        case .asked: break
        case .sending: return .refuse(.alreadyReplied)
        }
        self.call?.upgrade = .awaiting(limit: limit)
        if case .none = turn { return .wait(asking: asking, rests: true) }
        return .wait(asking: asking, rests: false)
    }

    enum SecretArrival: Equatable {
        /// No secret is expected, or it is incomplete.
        case none
        /// Take this many bytes after the four bytes of the length.
        case take(Int)
        case tooLong
        /// The peer has closed its side before the secret was complete.
        case close
    }

    /// Checks whether a secret has arrived.
    ///
    /// - Parameter length: the first four bytes; nil while they have not arrived. It is evaluated only if a secret is
    ///   expected.
    mutating func secretArrival(waiting: Int, length: @autoclosure () -> Int?) -> SecretArrival {
        guard case .awaiting(let limit) = call?.upgrade else { return .none }
        if let length = length() {
            guard length <= limit else {
                call?.upgrade = .asked
                return .tooLong
            }
            if waiting >= 4 + length {
                call?.upgrade = .asked
                return .take(length)
            }
        }
        guard case .ended = input else { return .none }
        life = .closing
        return .close
    }

    enum Ending: Equatable {
        /// The call ended with its connection.
        case ignore
        case end
        case replyError
        /// The method has returned without a reply.
        case replyMissing
    }

    /// Handles that the method of call `id` has returned or thrown. Call `endCall` afterwards, unless the result is
    /// `ignore`.
    func ending(of id: UInt64, hasThrown: Bool) -> Ending {
        guard let call, call.id == id else { return .ignore }
        if hasThrown { return .replyError }
        return call.hasReplied || call.isOneway ? .end : .replyMissing
    }

    /// Ends the call.
    ///
    /// - Parameter isResponseOver: whether the HTTP response is complete.
    /// - Returns: whether the connection must close after everything is flushed.
    mutating func endCall(isResponseOver: Bool) -> Bool {
        guard let ended = call else { return false }
        call = nil
        if case .draining = life { return true }
        if case .none = ended.upgrade { return isResponseOver }
        return true
    }

    // MARK: Ends

    /// Handles that the server stops.
    ///
    /// - Returns: whether to close immediately, because there is no call or it streams.
    mutating func drain() -> Bool {
        guard let call, !call.isStream else { return true }
        if case .open = life { life = .draining }
        return false
    }

    /// Begins to close the connection.
    ///
    /// - Returns: false if the connection is already closing.
    mutating func beginClosing() -> Bool {
        guard !isClosing else { return false }
        life = .closing
        return true
    }

    /// Records that the connection closes immediately.
    mutating func close() { life = .closing }

    /// Handles that the connection was closed.
    ///
    /// - Returns: whether a call was running.
    mutating func remove() -> Bool {
        life = .closing
        defer { call = nil }
        return call != nil
    }
}

/// The current phase of a connection, and when it times out.
struct ConnectionClock {
    enum Phase: Hashable {
        /// No call is running, and no byte of a request has arrived.
        case idle
        /// A request has begun to arrive.
        case receiving
        /// A call is running. It has no time limit.
        case running
        /// The server waits for a secret.
        case awaitingSecret
        /// Replies wait until the peer reads.
        case unread
        /// Replies of a stream wait until the peer reads. This has no time limit.
        case paused
    }

    private(set) var phase = Phase.idle
    private var since: NIODeadline
    /// The number of bytes that the peer had taken at `since`.
    private var taken = 0
    private let limits: VarlinkLimits

    init(_ limits: VarlinkLimits, now: NIODeadline) {
        self.limits = limits
        since = now
    }

    /// A phase's time starts when it is entered, not when it is confirmed. Only idle time starts again each time, and
    /// that of unread replies whenever the peer has taken enough.
    ///
    /// - Parameter taken: the number of bytes that the peer has taken since it connected.
    mutating func enter(_ phase: Phase, taken: Int, now: NIODeadline) {
        guard phase == self.phase else {
            self.phase = phase
            return start(taken, now)
        }
        switch phase {
        case .idle: start(taken, now)
        case .unread: if taken - self.taken >= limits.progressBytes { start(taken, now) }
        case .receiving, .running, .awaitingSecret, .paused: break
        }
    }

    private mutating func start(_ taken: Int, _ now: NIODeadline) {
        since = now
        self.taken = taken
    }

    /// The time to wait for the next frame starts again after each call, however short the call was. That of unread
    /// replies does not.
    mutating func callStarted() {
        if phase != .unread { phase = .running }
    }

    /// When the phase times out; nil if it has no limit.
    var deadline: NIODeadline? {
        switch phase {
        case .idle: since + TimeAmount(limits.idleTime)
        case .receiving: since + TimeAmount(limits.frameTime)
        case .running, .paused: nil
        case .awaitingSecret: since + TimeAmount(limits.secretTime)
        case .unread: since + TimeAmount(limits.stallTime)
        }
    }

    /// When the phase is to be determined again at the latest; nil for never. The peer may have read the rest of a stream,
    /// which no event reports, and is idle then.
    func nextCheck(now: NIODeadline) -> NIODeadline? {
        phase == .paused ? now + TimeAmount(limits.stallTime) : deadline
    }
}
