// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

/// The kept tables of the user: briefcases in a directory, which the helper for data reads and writes.
enum KeptTables {
    private static let mostBytes = 16 << 20

    /// A set of kept tables, and what is needed to download it again.
    struct Place {
        let path: String
        let endpoint: String
        /// The name that the endpoint had at the last download. Untrusted.
        let name: String
        let service: String
        /// Nil for an anonymous connection.
        let login: String?
    }

    static func directory() throws -> String {
        Directories.keptTables(nextTo: try Directories(.ofProcess()).state)
    }

    /// Creates the directory, which only the user can access.
    static func create() throws { _ = try ProtectedDirectory(directory(), creating: true) }

    /// A job about the kept tables of an endpoint.
    static func job(_ action: JobBriefcase.Action, _ output: OutputOptions) throws -> DataJob {
        var job = DataJob(.briefcase)
        job.briefcase.action = action
        output.apply(to: &job.output)
        return job
    }

    /// Returns all sets. The helper prints notes about those that cannot be read.
    static func places(_ output: OutputOptions) throws -> [Place] {
        var job = try job(.findKept, output)
        job.output.format = .document
        let program = DataProgram.withoutServer
        let (status, bytes) = try program.output(of: job, maximumBytes: mostBytes)
        RunningProgram.releaseSignals()
        guard status == ExitStatus.done.rawValue else { exit(status) }
        let reply = try JSONValue(parsing: bytes, limits: DataJob.limits).objectValue ?? [:]
        return try reply.objects("kept").map { set in
            Place(
                path: try set.string("path"),
                endpoint: try set.string("endpoint"),
                name: try set.string("name"),
                service: try set.string("service"),
                login: try set.optionalString("login")
            )
        }
    }
}

extension JobKept {
    /// The kept tables of the server of a command. The daemon completes the name of the endpoint if it runs.
    init(_ target: DataTarget, _ use: Use = .never) throws {
        self.init()
        self.use = use
        endpoint = (try? Self.identity(of: target)) ?? target.endpoint
        (service, schema) = (target.connection.service, target.connection.schema)
    }

    private static func identity(of target: DataTarget) throws -> String {
        let client = try DaemonClient()
        do {
            return try RegistryAPI.Endpoint.fetch(target.endpoint, client).id
        } catch let error as DaemonError where error.code == .endpointNotFound {
            let call = BrokerAPI.ChooseCall(endpoint: target.endpoint, login: target.connection.login)
            return try client.call(call).endpoint
        }
    }
}

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

/// The timer that refreshes the kept tables, a unit of the user's systemd.
enum RefreshTimer {
    private static let unit = "relativityd-refresh.timer"

    /// Prints a note if the user's systemd runs, and the timer is not enabled.
    static func note(_ output: OutputOptions) throws {
        guard UserManager.isRunning, try !isEnabled() else { return }
        output.note(
            "relctl: note: the tables are refreshed by 'relctl briefcase refresh --kept', or every half an hour after "
                + "'systemctl --user enable --now \(unit)'\n"
        )
    }

    private static func isEnabled() throws -> Bool {
        let configuration = try Directories(.ofProcess()).configuration
        let own = configuration.prefix(upTo: configuration.lastIndex(of: "/") ?? configuration.endIndex)
        return ["\(own)", "/etc"].contains { access("\($0)/systemd/user/timers.target.wants/\(unit)", F_OK) == 0 }
    }
}

/// The user's systemd.
enum UserManager {
    static var isRunning: Bool {
        let socket = SocketPath.usual()
        return access(socket.dropLast("/relativityd/relativityd.sock".count) + "/systemd/private", F_OK) == 0
    }
}
