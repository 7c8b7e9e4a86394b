// SPDX-License-Identifier: Apache-2.0

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
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let promise = loop.makePromise(of: Int32.self)
        // The only place where the main thread starts async code, and waits for it.
        Task(executorPreference: LoopExecutor(loop)) {
            do {
                promise.succeed(try await JobRunner(job, on: loop).run())
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
    let loop: any EventLoop

    init(_ job: DataJob, on loop: any EventLoop) {
        self.job = job
        self.loop = loop
    }

    var timeout: Duration { .seconds(job.timeoutSeconds) }

    /// - Returns: the exit status.
    func run() async throws -> Int32 {
        switch job.verb {
        case .call: try await call()
        default: throw JobFailure(.failed, "this version of relativityd-data has no '\(job.verb.rawValue)'")
        }
        return EXIT_SUCCESS
    }
}
