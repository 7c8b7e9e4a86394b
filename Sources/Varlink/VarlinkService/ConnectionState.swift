// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// State machine of a connection: one call at a time, replies in the order of the requests.
///
/// It has no effects: each method takes an event, and returns the action that `ConnectionHandler` executes.
struct ConnectionState: ~Copyable {
    private enum Wire {
        case undecided
        case varlink
        case http
    }

    private enum Input {
        case open
        /// NIO has asked to read, and waits for room behind the running call.
        case heldBack
        case ended
    }

    /// Guards against re-entry: a call that ends at once does so while its request is being started.
    private enum Turn {
        case none
        case starting(isUnflushed: Bool)
    }

    private enum Life {
        case open
        /// Closes after the running call.
        case draining
        /// Closes when all is flushed, or is closed.
        case closing
    }

    private enum Upgrade {
        case none
        /// The connection takes secrets, and closes after the call.
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

    /// - Parameter frameBytes: length of the longest request.
    init(frameBytes: Int) {
        self.frameBytes = frameBytes
    }

    var isClosing: Bool { if case .closing = life { true } else { false } }

    // MARK: Bytes

    /// Decides on the protocol by the first byte. HTTP's methods are upper case, and a JSON object begins otherwise.
    ///
    /// - Returns: whether the connection becomes one of HTTP; true at most once.
    mutating func receive(first byte: UInt8?, servesHTTP: Bool) -> Bool {
        guard case .undecided = wire else { return false }
        let isUpper = byte.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
        wire = servesHTTP && isUpper ? .http : .varlink
        return servesHTTP && isUpper
    }

    /// NIO asks to read on.
    ///
    /// - Parameter waiting: number of bytes that are not used yet.
    /// - Returns: whether to pass the request on; else `takeHeldRead` returns true once there is room.
    mutating func requestRead(waiting: Int) -> Bool {
        guard isFull(waiting) else { return true }
        if case .open = input { input = .heldBack }
        return false
    }

    /// The peer sends nothing more.
    mutating func endInput() { input = .ended }

    private mutating func takeHeldRead(waiting: Int) -> Bool {
        guard case .heldBack = input, !isFull(waiting) else { return false }
        input = .open
        return true
    }

    /// So much waits behind the running call that reading stops.
    private func isFull(_ waiting: Int) -> Bool {
        call != nil && waiting > max(frameBytes, VarlinkCall.maximumSecretBytes + 4)
    }

    // MARK: Turns

    /// - Returns: false while a turn is under way, which then takes along what has come.
    mutating func beginTurn() -> Bool {
        guard case .none = turn else { return false }
        turn = .starting(isUnflushed: false)
        return true
    }

    /// Whether the turn takes another request.
    var takesRequest: Bool { call == nil && !isClosing }

    /// - Returns: whether replies have to be flushed.
    mutating func endTurn() -> Bool {
        defer { turn = .none }
        if case .starting(isUnflushed: true) = turn { return true }
        return false
    }

    enum Rest: Equatable {
        /// Already on its way to its end.
        case closing
        /// Close without a reply: the request is too long.
        case refuse
        case closeWhenFlushed
        case stay(reads: Bool)
    }

    /// What follows when no more can be started.
    mutating func rest(waiting: Int) -> Rest {
        guard !isClosing else { return .closing }
        if call == nil {
            if waiting > frameBytes { return .refuse }
            if case .ended = input { return .closeWhenFlushed }
        }
        return .stay(reads: takeHeldRead(waiting: waiting))
    }

    /// - Parameter isReceivingHTTP: a request of HTTP is not whole yet.
    /// - Returns: nil when the connection no longer has a time limit of its own.
    func phase(isWritable: Bool, waiting: Int, isReceivingHTTP: Bool) -> ConnectionClock.Phase? {
        guard !isClosing else { return nil }
        guard isWritable else { return .stalled }
        guard let call else { return waiting > 0 || isReceivingHTTP ? .receiving : .idle }
        if case .awaiting = call.upgrade { return .awaitingSecret }
        return .running
    }

    // MARK: Calls

    /// - Returns: the call's id.
    mutating func start(isOneway: Bool, isStream: Bool) -> UInt64 {
        lastID += 1
        call = Call(id: lastID, isOneway: isOneway, isStream: isStream)
        return lastID
    }

    func isRunning(_ id: UInt64) -> Bool { call?.id == id }

    enum Delivery: Equatable {
        case refuse(VarlinkCallError)
        /// Nobody takes it.
        case discard
        /// Write, and leave flushing to the end of the turn.
        case write
        case writeAndFlush
    }

    /// Call `id` sends a reply.
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

    /// Whether who sent a reply waits until the peer has read more.
    func mustWait(isWritable: Bool) -> Bool { !isWritable && call?.isOneway == false }

    enum SecretRequest: Equatable {
        case refuse(VarlinkCallError)
        /// - Parameters:
        ///   - asking: what to do with the reply that asks the peer for the secret; nil after the first one.
        ///   - rests: no turn is under way that would look for the secret.
        case wait(asking: Delivery?, rests: Bool)
    }

    /// Call `id` wants a secret.
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
        /// None is expected, or it is not whole yet.
        case none
        /// Take this many bytes, behind the four of the length.
        case take(Int)
        case tooLong
        /// The rest of it will not come.
        case close
    }

    /// - Parameter length: the first four bytes; nil while they have not arrived. Asked for only if a secret is expected.
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
        /// The call has gone with its connection.
        case ignore
        case end
        case replyError
        /// The method has returned, and left its caller without a reply.
        case replyMissing
    }

    /// The method of call `id` has returned or thrown. `endCall` must follow unless this is ignored.
    func ending(of id: UInt64, hasThrown: Bool) -> Ending {
        guard let call, call.id == id else { return .ignore }
        if hasThrown { return .replyError }
        return call.hasReplied || call.isOneway ? .end : .replyMissing
    }

    /// - Parameter isResponseOver: the response of HTTP is whole.
    /// - Returns: whether the connection closes when all is flushed.
    mutating func endCall(isResponseOver: Bool) -> Bool {
        guard let ended = call else { return false }
        call = nil
        if case .draining = life { return true }
        if case .none = ended.upgrade { return isResponseOver }
        return true
    }

    // MARK: Ends

    /// The server stops.
    ///
    /// - Returns: whether to close now, because there is no call or it streams.
    mutating func drain() -> Bool {
        guard let call, !call.isStream else { return true }
        if case .open = life { life = .draining }
        return false
    }

    /// - Returns: whether this begins now; false if the connection is closing already.
    mutating func beginClosing() -> Bool {
        guard !isClosing else { return false }
        life = .closing
        return true
    }

    /// The connection is closed at once.
    mutating func close() { life = .closing }

    /// The connection has gone.
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
