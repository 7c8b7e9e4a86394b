// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import Varlink

/// The state that the connections of one server share. Use on its event loop only.
final class ServerContext {
    let methods: MethodTable
    let limits: VarlinkLimits
    let face: HTTPFace?
    let failure: VarlinkError
    let logger: Logger
    let executor: RequestExecutor

    /// A larger buffer is released after its reply.
    private static let largestScratch = 64 << 10

    /// The buffer in which reply frames are serialized.
    private var scratch: [UInt8] = []
    private var listeners: [any Channel] = []
    private let onUsage: @Sendable (VarlinkUsage) -> Void
    private let onClose: @Sendable (UInt64) -> Void
    private var lastNumber: UInt64 = 0
    private var usage = VarlinkUsage()
    private var admission: Admission
    private var longRequests: LongRequests<ObjectIdentifier>
    private var handlers: [ObjectIdentifier: ConnectionHandler] = [:]
    private var isStopping = false
    private var stopped: EventLoopPromise<Void>?

    init(
        methods: MethodTable,
        limits: VarlinkLimits,
        face: HTTPFace?,
        failure: VarlinkError,
        logger: Logger,
        loop: any EventLoop,
        onUsage: @escaping @Sendable (VarlinkUsage) -> Void,
        onClose: @escaping @Sendable (UInt64) -> Void = { _ in }
    ) {
        self.methods = methods
        self.limits = limits
        self.face = face
        self.failure = failure
        self.logger = logger
        self.onUsage = onUsage
        self.onClose = onClose
        executor = RequestExecutor(loop: loop)
        admission = Admission(limits)
        longRequests = LongRequests(limit: limits.longRequests)
    }

    /// Returns the number of a new connection.
    func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    func add(_ listener: any Channel) { listeners.append(listener) }

    /// Serializes a reply.
    ///
    /// - Parameter http: the conversation that it is a response in; nil for a Varlink frame.
    func frame(of reply: Reply, in http: HTTPConversation?) -> ByteBuffer {
        // One long list is no reason to hold as much for ever.
        defer { if scratch.count > Self.largestScratch { scratch = [] } }
        guard let http else { return reply.frame(using: &scratch) }
        scratch.removeAll(keepingCapacity: true)
        http.write(reply, into: &scratch)
        return ByteBuffer(bytes: scratch)
    }

    /// - Returns: whether the connection is accepted. If so, `leave` must be called when it closes.
    func enter(_ handler: ConnectionHandler) -> Bool {
        guard !isStopping, admission.enter(handler.peer) else { return false }
        handlers[ObjectIdentifier(handler)] = handler
        usage.connections = admission.total
        onUsage(usage)
        return true
    }

    func leave(_ handler: ConnectionHandler) {
        guard handlers.removeValue(forKey: ObjectIdentifier(handler)) != nil else { return }
        onClose(handler.number)
        admission.leave(handler.peer)
        usage.connections = admission.total
        onUsage(usage)
        if handlers.isEmpty { stopped?.succeed() }
    }

    /// - Returns: whether the connection may receive more of its long request. If not, it is notified when it may.
    func admitLongRequest(of handler: ConnectionHandler) -> Bool {
        longRequests.enter(ObjectIdentifier(handler), of: handler.peer.pid)
    }

    /// Handles that the long request of a connection, if it has one, was used or is abandoned.
    func endLongRequest(of handler: ConnectionHandler) {
        let next = longRequests.leave(ObjectIdentifier(handler), of: handler.peer.pid)
        if let next { handlers[next]?.longRequestAdmitted() }
    }

    func connectionRefused() {
        usage.refused += 1
        onUsage(usage)
    }

    func callStarted() {
        usage.runningCalls += 1
        usage.calls += 1
        onUsage(usage)
    }

    /// Call before `callEnded`.
    func callFailed() { usage.errors += 1 }

    func callEnded() {
        usage.runningCalls -= 1
        onUsage(usage)
    }

    /// Stops accepting connections. Closes streaming connections immediately, and each other one when its call is
    /// done.
    func drain(_ promise: EventLoopPromise<Void>) {
        isStopping = true
        for listener in listeners { listener.close(promise: nil) }
        stopped?.succeed()
        stopped = promise
        for handler in handlers.values { handler.drain() }
        if handlers.isEmpty { promise.succeed() }
    }

    func closeAll() {
        for handler in handlers.values { handler.close() }
    }
}

/// Runs the tasks of calls on the server's event loop.
///
/// A task made within `starting` begins immediately, on the caller's stack, so that a method that does not wait runs
/// without a turn of the loop. (`Task.immediate` with an executor preference starts with a hop.)
final class RequestExecutor: TaskExecutor {
    private let loop: any EventLoop
    private let isStarting: NIOLoopBoundBox<Bool>

    /// Call on `loop` only.
    init(loop: any EventLoop) {
        self.loop = loop
        isStarting = NIOLoopBoundBox(false, eventLoop: loop)
    }

    /// Runs the task that `makeTask` starts up to its first suspension. Call on the loop only.
    func starting(_ makeTask: () -> Task<Void, Never>) -> Task<Void, Never> {
        isStarting.value = true
        return makeTask()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if loop.inEventLoop, isStarting.value {
            isStarting.value = false
            job.runSynchronously(on: asUnownedTaskExecutor())
        } else {
            loop.execute { [self] in
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }
}
