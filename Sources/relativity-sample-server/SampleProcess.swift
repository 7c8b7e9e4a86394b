// SPDX-License-Identifier: Apache-2.0

import EventLoops
import Logging
import NIOCore
import NIOPosix
import Platform
import SampleServer

/// The running server with its loop and its thread for SQLite, seen from the main thread, which only waits.
struct SampleProcess {
    private static let longestStop = TimeAmount.milliseconds(800)

    private let loop: any EventLoop
    private let server: RunningSampleServer

    /// Starts everything.
    ///
    /// - Throws: `SampleServerError`, or a `DiscoveryError` when Avahi's thread cannot start.
    init(options: SampleOptions, logger: Logger) throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        let loop = group.next()
        self.loop = loop
        server = try Self.wait(on: loop) {
            try await RunningSampleServer.start(
                options,
                loop: loop,
                pool: pool,
                publisher: options.publishedName == nil ? nil : AvahiServicePublisher(),
                logger: logger
            )
        }
    }

    var addresses: [SocketAddress] { server.addresses }

    /// Stops, or gives up after 0.8 s: the process ends now.
    func stop() {
        let stopped = loop.makePromise(of: Void.self)
        loop.scheduleTask(in: Self.longestStop) { stopped.succeed() }
        let server = server
        Self.run(on: loop, stopped) { await server.stop() }
        try? stopped.futureResult.wait()
    }

    private static func wait<Result: Sendable>(
        on loop: any EventLoop,
        _ body: @escaping @Sendable () async throws -> Result
    ) throws -> Result {
        let promise = loop.makePromise(of: Result.self)
        run(on: loop, promise, body)
        return try promise.futureResult.wait()
    }

    /// The one place where the main thread turns async; the promise ends it.
    private static func run<Result: Sendable>(
        on loop: any EventLoop,
        _ promise: EventLoopPromise<Result>,
        _ body: @escaping @Sendable () async throws -> Result
    ) {
        Task(executorPreference: LoopExecutor(loop)) {
            do {
                promise.succeed(try await body())
            } catch {
                promise.fail(error)
            }
        }
    }
}
