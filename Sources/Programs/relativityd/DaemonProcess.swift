// SPDX-License-Identifier: Apache-2.0

import Broker
import Configuration
import Endpoints
import EventLoops
import Glibc
import LocalAPI
import Logging
import NIOCore
import NIOPosix
import Platform

/// The process of the daemon: one event loop, a few threads for work that would block it, and a main thread that sleeps
/// until a signal arrives.
struct DaemonProcess {
    private static let workers = 2
    private static let lookUpWorkers = 2
    /// The time for a graceful exit. It is limited, because Avahi's thread or a server may hang.
    private static let graceful = Duration.seconds(5)

    let options: DaemonOptions
    let environment: Environment
    let passed: PassedSockets

    func run() throws {
        let configuration = try LoadedConfiguration(options, environment: environment)
        let directories = try Directories(environment)
        let runtime = try RuntimeDirectory(claiming: try directories.runtime())
        let home = try Home(claiming: directories)
        let sink = LogSink(environment)
        LoggingSystem.bootstrap { _ in DaemonLog(level: options.logLevel, sink: sink) }
        let logger = Logger(label: "relativityd")
        for warning in configuration.warnings { logger.warning("\(warning)") }
        let signals = SignalWait([SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2])

        Heap.small.use()
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).any()
        let pool = NIOThreadPool(numberOfThreads: Self.workers)
        pool.start()
        // For calls of users, and for probes, of which only one look-up runs at a time. A name server that does not
        // respond blocks a thread for many seconds. The configured sources have threads of their own.
        let lookUps = NIOThreadPool(numberOfThreads: Self.lookUpWorkers)
        lookUps.start()
        let daemon = try Daemon(
            configuration: configuration,
            endpoints: options.endpoints,
            reach: options.isLoopbackOnly ? .loopback : .network,
            directories: directories,
            runtime: runtime,
            home: home,
            environment: environment,
            loop: loop,
            pool: pool,
            lookUps: lookUps,
            logger: logger
        )
        let ready = loop.makePromise(of: Void.self)
        let ended = loop.makePromise(of: Void.self)
        // The only place where the daemon's work begins. `daemon.stop()` below ends it.
        Task(executorPreference: LoopExecutor(loop)) { [passed] in
            do {
                try await daemon.start(passed)
                ready.succeed()
                await daemon.run()
            } catch {
                daemon.stop()
                ready.fail(error)
            }
            ended.succeed()
        }
        try ready.futureResult.wait()
        let notification = ServiceNotification(environment)
        try? notification.send(.ready, .status("serving the local API"))
        logger.notice("started", metadata: ["version": "\(ProjectVersion.text)"])

        serving: while true {
            switch signals.next() {
            case SIGUSR1: daemon.lockVault()
            case SIGUSR2: daemon.readFiles()
            default: break serving
            }
        }
        try? notification.send(.stopping)
        let deadline = loop.scheduleTask(in: TimeAmount(Self.graceful)) { ended.succeed() }
        daemon.stop()
        try ended.futureResult.wait()
        deadline.cancel()
        logger.notice("stopped")
    }
}

/// Signals that a sleeping thread takes one at a time. Make it before any other thread, so that all of them inherit the
/// mask and leave the signals to it.
struct SignalWait {
    private var set = sigset_t()

    init(_ signals: [Int32]) {
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Blocks until a signal of the set arrives.
    func next() -> Int32 {
        var set = set
        var signal: Int32 = 0
        while sigwait(&set, &signal) != 0 {}
        return signal
    }
}

/// The reason why the daemon did not start.
enum StartError: Error, CustomStringConvertible {
    case usage(String)
    /// The errors of the configuration, at least one.
    case configuration([ConfigurationError])
    /// Another daemon has claimed the directory of the socket. `holder` names its process and host.
    case alreadyRunning(socket: String, holder: String)
    /// Another daemon, with another socket, has claimed one of the user's directories.
    case homeInUse(directory: String, holder: String)
    case socket(path: String, reason: String)

    var description: String {
        switch self {
        case .usage(let reason): "\(reason); see 'relativityd --help'"
        case .configuration(let errors): errors.map { "\($0)" }.joined(separator: "\n")
        case .alreadyRunning(let socket, let holder):
            "another relativityd, \(Printable(holder)), serves \(socket) already"
        case .homeInUse(let directory, let holder):
            """
            another relativityd, \(Printable(holder)), keeps its files in \(Printable(directory)); end it first, or give this \
            one an XDG_DATA_HOME and an XDG_STATE_HOME of its own
            """
        case .socket(let path, let reason): "cannot listen on \(path): \(reason)"
        }
    }

    /// The values of the error, for the journal. `holder` is a process and its host.
    var facts: [(name: String, value: String)] {
        switch self {
        case .usage: [("code", "usage")]
        case .configuration: [("code", "configuration")]
        case .alreadyRunning(let socket, let holder):
            [("code", "alreadyRunning"), ("path", socket), ("holder", holder)]
        case .homeInUse(let directory, let holder):
            [("code", "homeInUse"), ("path", directory), ("holder", holder)]
        case .socket(let path, _): [("code", "socket"), ("path", path)]
        }
    }

    /// The exit status of sysexits(3), so that systemd's RestartPreventExitStatus= can prevent restarts that cannot
    /// succeed.
    var exitStatus: Int32 {
        switch self {
        case .usage: 64
        case .alreadyRunning, .homeInUse: 75
        case .configuration: 78
        default: EXIT_FAILURE
        }
    }
}
