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
/// been connected for a minute. systemd starts it again for the next connection.
enum ServeProcess {
    private static let idleSeconds = Int64(1)...86_400

    /// Serves until the process is idle. If that fails, prints the reason and exits.
    ///
    /// - Parameter options: `--idle-seconds` and how long there must be no connection, or none for 60.
    static func main(_ options: ArraySlice<String>) {
        do {
            let number = options.first == "--idle-seconds" && options.count == 2 ? options.last : nil
            guard let seconds = options.isEmpty ? 60 : number.flatMap({ Int64($0) }), idleSeconds.contains(seconds)
            else { throw ServeError.usage }
            try run(PassedSockets(Environment.ofProcess()), idleTime: .seconds(seconds))
        } catch {
            Main.writeError("relativityd-data: error: \(error)\n")
            exit(error is ServeError ? ServeError.exitStatus : EXIT_FAILURE)
        }
    }

    /// - Throws: `ServeError`; `VarlinkServerError`; `PlatformError`.
    private static func run(_ passed: PassedSockets, idleTime: TimeAmount) throws {
        guard let socket = passed.sockets.first else { throw ServeError.noSocket }
        try ProcessHardening.apply(keptDescriptors: passed.sockets.count)
        try passed.closeOnExec()
        Heap.giveBackLargeBlocks()
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let (disk, rows, statements) = (pool(threads: 1), pool(threads: 2), pool(threads: 8))
        let ended = loop.makePromise(of: Void.self)
        // The only place where work begins. It ends with the server.
        Task(executorPreference: LoopExecutor(loop)) {
            do {
                try await serve(
                    socket.descriptor,
                    idleTime: idleTime,
                    on: loop,
                    rows: PoolExecutor(rows),
                    statements: PoolExecutor(statements),
                    disk: disk
                )
                ended.succeed()
            } catch {
                ended.fail(error)
            }
        }
        try ended.futureResult.wait()
    }

    private static func pool(threads count: Int) -> NIOThreadPool {
        let pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
        return pool
    }

    private static func serve(
        _ descriptor: Int32,
        idleTime: TimeAmount,
        on loop: any EventLoop,
        rows: PoolExecutor,
        statements: PoolExecutor,
        disk: NIOThreadPool
    ) async throws {
        let adapters = CallerAdapters(socket: SocketPath.ofAdapters(), on: loop)
        // Not in the daemon's directory, which the sandbox hides.
        let state = try Directories(Environment.ofProcess()).state
        let sets = PendingSets(state + "-data", on: loop, disk: disk)
        let kept = KeptTables(Directories.keptTables(nextTo: state))
        let idle = loop.makePromise(of: Void.self)
        let timer = IdleTimer(loop, after: idleTime, idle)
        let server = try VarlinkServer(
            service: VarlinkServiceInfo(
                vendor: "relativityd",
                product: "relativityd-data",
                version: ProjectVersion.text,
                url: ""
            ),
            interfaces: [
                PooledInterface(
                    DataService(adapters: adapters, sets: sets, kept: kept, loop: loop, statements: statements),
                    on: rows
                )
            ],
            limits: limits,
            http: HTTPFace(status: { DataFailure.status(of: $0) }),
            failure: VarlinkError(DataAPI.FailedError(message: "the call failed; the log has the details")),
            loop: loop,
            logger: Logger(label: "relativityd-data"),
            accept: { [user = geteuid()] peer in peer.uid == user ? .accept : .refuse },
            onUsage: { timer.note($0.connections) },
            onClose: { adapters.connectionClosed($0) }
        )
        timer.note(0)
        try await server.listen(descriptor: descriptor)
        try await idle.futureResult.value()
        await server.stop(within: .zero)
    }

    /// A connection runs one call at a time, so the number of connections limits that of calls, and with it the memory.
    private static var limits: VarlinkLimits {
        var limits = VarlinkLimits()
        limits.connections = 32
        limits.connectionsPerProcess = 16
        // A pager may stop for as long as its user reads. More is unsent only after a row that is longer.
        limits.pausedBytes = 256 << 10
        return limits
    }
}

/// Runs the calls of an interface on other threads than the loop, which only moves bytes. So the work of one call delays
/// no other: between two batches, calls take turns.
private struct PooledInterface: VarlinkInterface {
    private let interface: any VarlinkInterface
    private let executor: PoolExecutor

    init(_ interface: any VarlinkInterface, on executor: PoolExecutor) {
        self.interface = interface
        self.executor = executor
    }

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

/// The reason why the service cannot start.
enum ServeError: Error, CustomStringConvertible {
    case noSocket
    case usage

    /// EX_USAGE of sysexits(3).
    static let exitStatus: Int32 = 64

    var description: String {
        switch self {
        case .noSocket: "no socket was passed: relativityd-data.socket starts this program"
        case .usage: "usage: relativityd-data serve [--idle-seconds NUMBER], from 1 to 86400"
        }
    }
}
