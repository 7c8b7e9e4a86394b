// SPDX-License-Identifier: Apache-2.0

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
