// SPDX-License-Identifier: Apache-2.0

import EventLoops
import Glibc
import LocalAPI
import Logging
import NIOCore
import NIOPosix
import Platform
import Varlink
import VarlinkService

/// `relativityd-data serve`: serves `org.relativityd.Data` on the socket that systemd passed, and ends when no client has
/// been connected for a minute. systemd starts it again for the next connection. With `--socket PATH` it makes the socket
/// itself, and serves until it is ended.
enum ServeProcess {
    /// Serves until the process is idle or gets SIGTERM or SIGINT. If that fails, prints the reason and exits.
    ///
    /// - Parameter arguments: the arguments after `serve`.
    static func main(_ arguments: ArraySlice<String>) {
        do {
            try run(ServeOptions(arguments), PassedSockets(Environment.ofProcess()))
        } catch {
            Main.writeError("\(Main.name): error: \(error)\n")
            exit((error as? ServeError)?.exitStatus ?? EXIT_FAILURE)
        }
    }

    /// - Throws: `ServeError`; `PlatformError`.
    private static func run(_ options: ServeOptions, _ passed: PassedSockets) throws {
        let place = try options.place(passed.sockets.first?.descriptor)
        try ProcessHardening.apply(keptDescriptors: passed.sockets.count)
        try passed.closeOnExec()
        // Before any thread, so that all of them inherit the mask and leave the signals to this one.
        let signals = try HeldSignals([SIGTERM, SIGINT])
        Heap.forRows.use()
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let (disk, rows, statements) = (pool(threads: 1), pool(threads: 8), pool(threads: 8))
        let idle = try StopSignal()
        let listening = loop.makePromise(of: Void.self)
        // The only place where work begins. It ends with the server.
        Task(executorPreference: LoopExecutor(loop)) {
            do {
                try await serve(
                    place,
                    idleTime: options.idleTime,
                    on: loop,
                    rows: PoolExecutor(rows),
                    statements: PoolExecutor(statements),
                    disk: disk,
                    listening
                )
            } catch {
                // Has no effect after it has listened.
                listening.fail(error)
            }
            idle.give()
        }
        try listening.futureResult.wait()
        wait(for: signals, or: idle)
        place.removeSocket()
    }

    private static func wait(for signals: HeldSignals, or end: StopSignal) {
        var waiting = [signals.descriptor, end.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while signals.next() == nil, waiting[1].revents == 0 { poll(&waiting, nfds_t(waiting.count), -1) }
    }

    private static func pool(threads count: Int) -> NIOThreadPool {
        let pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
        return pool
    }

    private static func serve(
        _ place: ServePlace,
        idleTime: TimeAmount?,
        on loop: any EventLoop,
        rows: PoolExecutor,
        statements: PoolExecutor,
        disk: NIOThreadPool,
        _ listening: EventLoopPromise<Void>
    ) async throws {
        let adapters = CallerAdapters(socket: SocketPath.ofAdapters(), on: loop)
        // Not in the daemon's directory, which the sandbox hides.
        let state = try Directories(Environment.ofProcess()).state
        let sets = PendingSets(state + "-data", on: loop, disk: disk)
        let kept = KeptReader(Directories.keptTables(nextTo: state))
        let idle = loop.makePromise(of: Void.self)
        let timer = idleTime.map { IdleTimer(loop, after: $0, idle) }
        let server = try VarlinkServer(
            service: VarlinkServiceInfo(
                vendor: "relativityd",
                product: "relativityd-data",
                version: ProjectVersion.text,
                url: ""
            ),
            interfaces: [
                PooledInterface(
                    interface: DataService(
                        adapters: adapters,
                        sets: sets,
                        kept: kept,
                        loop: loop,
                        statements: statements
                    ),
                    executor: rows
                )
            ],
            limits: limits,
            http: DataService.face,
            failure: DataError.failed(message: "the call failed; the log has the details").reply,
            loop: loop,
            logger: Logger(label: "relativityd-data"),
            accept: { [user = geteuid()] peer in peer.uid == user ? .accept : .refuse },
            onUsage: { timer?.note($0.connections) },
            onClose: { adapters.connectionClosed($0) }
        )
        timer?.note(0)
        do {
            try await place.listen(server)
        } catch {
            idle.fail(error)
            throw error
        }
        listening.succeed()
        try await idle.futureResult.value()
        await server.stop(within: .zero)
    }

    /// A connection runs one call at a time, so the number of connections limits that of calls, and with it the memory.
    private static var limits: VarlinkLimits {
        var limits = VarlinkLimits()
        limits.connections = 32
        limits.connectionsPerProcess = 16
        // A pager may stop for as long as its user reads. A reply has 1 MiB of rows and one more row: more is unsent only
        // after a row that is longer than 1 MiB.
        limits.pausedBytes = 2 << 20
        return limits
    }
}

/// Runs the calls of an interface on other threads than the loop, which only moves bytes. So the work of one call delays
/// no other: between two batches, calls take turns.
private struct PooledInterface: VarlinkInterface {
    let interface: any VarlinkInterface
    let executor: PoolExecutor

    var name: String { interface.name }
    var description: String { interface.description }

    func isSafe(_ method: String) -> Bool { interface.isSafe(method) }

    func call(_ call: VarlinkCall) async throws {
        try await withTaskExecutorPreference(executor) { try await interface.call(call) }
    }
}

/// Completes a promise when there has been no connection for some time.
private final class IdleTimer: Sendable {
    private let deadline: NIOLoopBound<MovingDeadline>
    private let time: TimeAmount

    /// Call on the loop.
    init(_ loop: any EventLoop, after time: TimeAmount, _ idle: EventLoopPromise<Void>) {
        self.time = time
        deadline = NIOLoopBound(MovingDeadline(on: loop) { idle.succeed() }, eventLoop: loop)
    }

    /// Call on the loop.
    func note(_ connections: Int) {
        if connections == 0 { deadline.value.move(to: .now() + time) } else { deadline.value.clear() }
    }
}
