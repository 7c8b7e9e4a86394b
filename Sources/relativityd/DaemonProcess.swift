// SPDX-License-Identifier: Apache-2.0

import Configuration
import EventLoops
import Glibc
import LocalAPI
import Logging
import NIOCore
import NIOPosix
import Platform

/// The process around the daemon: one event loop, a few threads for what would stall it, and a main thread that waits
/// for signals without waking up in between.
struct DaemonProcess {
    private static let workers = 2
    private static let lookUpWorkers = 2
    /// The end is bounded: Avahi's thread or a server may hang.
    private static let graceful = Duration.seconds(5)

    let options: DaemonOptions
    let environment: Environment
    let passed: PassedSockets

    func run() throws {
        let configuration = try ConfigurationFile(environment: environment, path: options.config).load()
        let directories = try Directories(environment)
        let runtime = try RuntimeDirectory(claiming: try directories.runtime())
        let home = try Home(claiming: directories)
        LoggingSystem.bootstrap { _ in StandardErrorLog(level: options.logLevel, environment: environment) }
        let logger = Logger(label: "relativityd")
        let signals = SignalWait([SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2])

        Heap.giveBackLargeBlocks()
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).any()
        let pool = NIOThreadPool(numberOfThreads: Self.workers)
        pool.start()
        // For people's calls, and of the probes one at a time: a silent name server holds a thread for many seconds. The
        // configured sources have threads of their own.
        let lookUps = NIOThreadPool(numberOfThreads: Self.lookUpWorkers)
        lookUps.start()
        let daemon = try Daemon(
            configuration: configuration,
            endpoints: options.endpoints,
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
        // The one place where the daemon's work begins; `daemon.stop()` below ends it.
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
