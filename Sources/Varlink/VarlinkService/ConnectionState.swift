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
        /// NIO has requested a read, which waits until the running call leaves space.
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
    }

    private struct Call {
        let id: UInt64
        let isOneway: Bool
        let isStream: Bool
        var hasReplied = false
        var upgrade = Upgrade.none
    }

    private var wire = Wire.undecided
    private var input = Input.open
    private var turn = Turn.none
    private var life = Life.open
    private var call: Call?
    private var lastID: UInt64 = 0
    private let frameBytes: Int

    /// Makes the state of a new connection.
    ///
    /// - Parameter frameBytes: the limit of a request.
    init(frameBytes: Int) {
        self.frameBytes = frameBytes
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
    /// - Parameter waiting: the number of unused bytes.
    /// - Returns: whether to pass the request on. If not, `takeHeldRead` returns true once there is space.
    mutating func requestRead(waiting: Int) -> Bool {
        guard isFull(waiting) else { return true }
        if case .open = input { input = .heldBack }
        return false
    }

    /// Handles that the peer has closed its side of the connection.
    mutating func endInput() { input = .ended }

    private mutating func takeHeldRead(waiting: Int) -> Bool {
        guard case .heldBack = input, !isFull(waiting) else { return false }
        input = .open
        return true
    }

    /// Whether so many bytes wait for the running call that reading must stop.
    private func isFull(_ waiting: Int) -> Bool {
        call != nil && waiting > max(frameBytes, VarlinkCall.maximumSecretBytes + 4)
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

    /// Whether another request can be started.
    var takesRequest: Bool { call == nil && !isClosing }

    /// Ends the turn.
    ///
    /// - Returns: whether replies must be flushed.
    mutating func endTurn() -> Bool {
        defer { turn = .none }
        if case .starting(isUnflushed: true) = turn { return true }
        return false
    }

    enum Rest: Equatable {
        /// The connection is already closing.
        case closing
        /// Close without a reply: the request is too long.
        case refuse
        case closeWhenFlushed
        case stay(reads: Bool)
    }

    /// The action when no further call can be started.
    mutating func rest(waiting: Int) -> Rest {
        guard !isClosing else { return .closing }
        if call == nil {
            if waiting > frameBytes { return .refuse }
            if case .ended = input { return .closeWhenFlushed }
        }
        return .stay(reads: takeHeldRead(waiting: waiting))
    }

    /// The phase for the time limit.
    ///
    /// - Parameter isReceivingHTTP: whether an HTTP request is incomplete.
    /// - Returns: nil if the connection no longer has a time limit.
    func phase(isWritable: Bool, waiting: Int, isReceivingHTTP: Bool) -> ConnectionClock.Phase? {
        guard !isClosing else { return nil }
        guard isWritable else { return .stalled }
        guard let call else { return waiting > 0 || isReceivingHTTP ? .receiving : .idle }
        if case .awaiting = call.upgrade { return .awaitingSecret }
        return .running
    }

    // MARK: Calls

    /// Starts a call.
    ///
    /// - Returns: the ID of the call.
    mutating func start(isOneway: Bool, isStream: Bool) -> UInt64 {
        lastID += 1
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
        if isLast { self.call?.hasReplied = true }
        return delivery(isOneway: call.isOneway)
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
        case stalled
    }

    private(set) var phase = Phase.idle
    private var since: NIODeadline
    private let limits: VarlinkLimits

    init(_ limits: VarlinkLimits, now: NIODeadline) {
        self.limits = limits
        since = now
    }

    /// A phase's time starts when it is entered, not when it is confirmed. Only idle time starts again each time.
    mutating func enter(_ phase: Phase, now: NIODeadline) {
        guard phase != self.phase || phase == .idle else { return }
        self.phase = phase
        since = now
    }

    /// The time to wait for the next frame starts again after each call, however short the call was.
    mutating func callStarted() {
        phase = .running
    }

    /// When the phase times out; nil if it has no limit.
    var deadline: NIODeadline? {
        switch phase {
        case .idle: since + TimeAmount(limits.idleTime)
        case .receiving: since + TimeAmount(limits.frameTime)
        case .running: nil
        case .awaitingSecret: since + TimeAmount(limits.secretTime)
        case .stalled: since + TimeAmount(limits.stallTime)
        }
    }
}
