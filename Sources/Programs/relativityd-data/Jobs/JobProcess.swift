// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataJobs
import EventLoops
import Glibc
import JSON
import NIOCore
import NIOPosix
import Platform

/// Runs one job of relctl, which is on standard input.
enum JobProcess {
    /// - Returns: the exit status.
    /// - Throws: any error, for `JobFailure`.
    static func run() throws -> Int32 {
        let text = try OpenFile.readAll(STDIN_FILENO, path: "-", maximumBytes: DataJob.limits.bytes)
        let job = try DataJob(parsing: text)
        // The job has a thread of its own, because writing to standard output blocks. The other thread reads meanwhile,
        // so that the idle timeout counts only the time in which the helper waits for a server.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let (loop, connections) = (group.next(), group.next())
        let promise = loop.makePromise(of: Int32.self)
        // The only place where the main thread starts async code, and waits for it.
        Task(executorPreference: LoopExecutor(loop)) {
            do {
                promise.succeed(try await JobRunner(job, connectionsOn: connections).run())
            } catch {
                promise.fail(error)
            }
        }
        return try promise.futureResult.wait()
    }
}

/// Runs the verb of a job.
struct JobRunner: Sendable {
    let job: DataJob
    /// The loop of the connections to adapters. It never blocks.
    private let loop: any EventLoop

    init(_ job: DataJob, connectionsOn loop: any EventLoop) {
        self.job = job
        self.loop = loop
    }

    var text: JobText { JobText(job.output) }

    /// A client of a server of the job.
    func adapter(_ index: Int = 0) throws -> RemoteDataAdapter {
        let adapter = job.adapters[index]
        return try RemoteDataAdapter(
            socketPath: adapter.socket,
            service: adapter.service,
            loop: loop,
            idleTimeout: .seconds(job.timeoutSeconds)
        )
    }

    /// - Returns: the exit status.
    func run() async throws -> Int32 {
        if job.rows.isExplained, [.export, .diff, .copy].contains(job.verb) {
            try await explainTables()
            return EXIT_SUCCESS
        }
        switch job.verb {
        case .list: try await list()
        case .get: try await get()
        case .count: try await count()
        case .export: try await export()
        case .schema: try await showSchema()
        case .sql: try await sql()
        case .commandList: try await listCommands()
        case .commandRun: try await runCommand()
        case .call: try await call()
        case .features: try await showFeatures()
        case .diff: return try await diff()
        case .copy: return try await copy()
        }
        return EXIT_SUCCESS
    }
}
