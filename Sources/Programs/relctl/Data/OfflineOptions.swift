// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LocalAPI
import Platform

/// When a command reads kept tables instead of those of the server.
struct OfflineOptions: ParsableArguments {
    @Flag(help: "Read kept tables, without the server.")
    var offline = false
    @Flag(help: "Do not read kept tables if the server cannot be reached.")
    var online = false

    func validate() throws {
        if offline, online { throw ValidationError("--offline and --online cannot be used together") }
    }

    /// Runs a job that reads tables. Does not return, unless the server cannot be reached and its tables are not kept.
    ///
    /// - Parameter path: the file for the output; nil for standard output.
    func run(_ given: DataJob, at target: DataTarget, _ output: OutputOptions, to path: String? = nil) throws {
        var job = given
        if offline {
            job.kept = try JobKept(target, .always)
            Glibc.exit(try DataProgram.withoutServer.run(job, to: path))
        }
        guard !online, access(try KeptTables.directory(), F_OK) == 0 else {
            return try DataProgram.run(job, at: [target.place], output, to: path)
        }
        job.kept.use = .fallback
        do {
            try DataProgram.run(job, at: [target.place], output, to: path)
        } catch let error as DaemonError where [.endpointUnreachable, .endpointNotFound].contains(error.code) {
            job.kept = try JobKept(target, .fallback)
            job.kept.failure = error.message
            let status = try DataProgram.withoutServer.run(job, to: path)
            guard status != ExitStatus.unreachable.rawValue else { throw error }
            Glibc.exit(status)
        }
    }
}
