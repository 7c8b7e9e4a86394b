// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import JSON
import LocalAPI
import Platform

/// The kept tables of one endpoint and data service: a briefcase in the directory of kept sets. Its properties have what
/// is needed to download it again.
struct KeptSet {
    private static let nameKey = "EndpointName"
    private static let loginKey = "Login"
    private static let usualServiceKey = "UsualService"
    private static let suffix = ".briefcase"
    /// Bytes of a digest, which suffice to distinguish the sets of a user.
    private static let digestBytes = 10

    let path: String
    let endpoint: String
    let service: String
    private let properties: [String: String]

    /// The name that the endpoint had at the last download.
    var name: String { properties[Self.nameKey] ?? endpoint }
    /// Nil for an anonymous connection.
    var login: String? { properties[Self.loginKey] }

    /// The path of a set. Its name is a digest, so that no text of a server becomes the name of a file.
    static func path(in directory: String, endpoint: String, service: String) -> String {
        let digest = SHA256.digest(of: Array("\(endpoint)\0\(service)".utf8))
        return "\(directory)/\(HexText.encode(digest.prefix(digestBytes)))\(suffix)"
    }

    /// Sets the properties that other briefcases do not have.
    static func record(_ adapter: JobAdapter, in briefcase: inout Briefcase) {
        briefcase.properties[nameKey] = "\(Printable(adapter.name))"
        briefcase.properties[loginKey] = adapter.login
        briefcase.properties[usualServiceKey] = adapter.usualService
    }

    /// Returns the sets of a directory, sorted by endpoint and service. A folder whose first download was interrupted is
    /// not among them.
    ///
    /// - Parameter damaged: receives the names of sets that cannot be read.
    static func all(in directory: String, damaged: (String, BriefcaseError) -> Void) -> [KeptSet] {
        let sets = DirectoryNames.of(directory).filter { $0.hasSuffix(suffix) }.compactMap { name -> KeptSet? in
            do throws(BriefcaseError) {
                return KeptSet("\(directory)/\(name)", try Briefcase.properties("\(directory)/\(name)") ?? [:])
            } catch {
                damaged(name, error)
                return nil
            }
        }
        return sets.sorted { ($0.name, $0.service, $0.path) < ($1.name, $1.service, $1.path) }
    }

    private init?(_ path: String, _ properties: [String: String]) {
        guard let endpoint = properties[Briefcase.endpointKey], let service = properties[Briefcase.serviceKey] else {
            return nil
        }
        (self.path, self.endpoint, self.service, self.properties) = (path, endpoint, service, properties)
    }

    /// Whether the set is for the endpoint and the data service of a job.
    func fits(_ kept: JobKept) -> Bool {
        guard [endpoint, name].contains(kept.endpoint) else { return false }
        if let wanted = kept.service { return service == wanted }
        let usual = properties[Self.usualServiceKey] ?? service
        return service == (kept.schema.map { "\(usual).\($0)" } ?? usual)
    }

    /// What relctl needs to refresh the set.
    var json: JSONObject {
        var object: JSONObject = [
            "path": .string(path), "endpoint": .string(endpoint), "name": .string(name), "service": .string(service),
        ]
        object["login"] = login.map { .string($0) }
        return object
    }
}

extension JobRunner {
    /// The kept sets. A note names those that cannot be read.
    func keptSets() throws -> [KeptSet] {
        let directory = try Self.keptDirectory()
        return KeptSet.all(in: directory) { name, error in
            text.note("\(Printable(directory))/\(name): \(Printable("\(error)"))")
        }
    }

    private static func keptDirectory() throws -> String {
        Directories.keptTables(nextTo: try Directories(.ofProcess()).state)
    }

    /// The kept set of the endpoint and the data service of the job; nil if there is none.
    ///
    /// - Throws: `DataFailure` if several endpoints had the name.
    func keptSet() throws -> KeptSet? {
        if let adapter = job.adapters.first {
            return try keptSets().first { $0.endpoint == adapter.identity && $0.service == adapter.service }
        }
        let sets = try keptSets().filter { $0.fits(job.kept) }
        let exact = sets.first { $0.endpoint == job.kept.endpoint }
        guard exact != nil || sets.count <= 1 else {
            let ids = sets.map { "\(Printable($0.endpoint))" }.joined(separator: ", ")
            throw DataFailure(.usage, "several endpoints have the name \(Printable(job.kept.endpoint)): \(ids)")
        }
        return exact ?? sets.first
    }

    /// A runner of this job for the kept set of its endpoint and data service.
    ///
    /// - Throws: `DataFailure` if there is none.
    func keptRunner() throws -> JobRunner {
        guard let set = try keptSet() else {
            throw DataFailure(.notFound, "no tables of '\(Printable(job.kept.endpoint))' are kept")
        }
        return runner(for: set.path)
    }

    /// A runner of this job for the briefcase of a kept set.
    func runner(for path: String) -> JobRunner {
        var job = job
        (job.briefcase.path, job.briefcase.isKept) = (path, true)
        job.kept.use = .never
        return JobRunner(job, connectionsOn: loop)
    }

    /// Downloads the tables of the job and those of its kept set, and keeps them.
    ///
    /// - Returns: the exit status.
    func keepTables() async throws -> Int32 {
        let adapter = try server()
        let endpoint = adapter.identity ?? adapter.name
        let path = try KeptSet.path(in: Self.keptDirectory(), endpoint: endpoint, service: adapter.service)
        let file = try BriefcaseFile(path, form: .folder)
        let page = try codePage()
        var briefcase = try Briefcase.load(path) { _ in page } ?? Briefcase()
        let isNew = briefcase.properties.isEmpty
        // What is left of a first download that was interrupted.
        if isNew { briefcase = Briefcase() }
        var names = briefcase.tables.map(\.name)
        for name in job.tables where !names.contains(where: { NameMatch.isSimilar($0, name) }) {
            names.append(name)
        }
        let runner = runner(for: path)
        do {
            return try await runner.refresh(briefcase, file, names: names)
        } catch {
            if isNew { try? file.remove() }
            throw (error as? BriefcaseError).map(runner.failure) ?? error
        }
    }

    /// Removes tables from a kept set. A set without tables is removed.
    func unkeepTables() throws {
        let runner = try keptRunner()
        var (file, briefcase) = try runner.openBriefcase()
        let tables = try job.tables.isEmpty ? briefcase.tables : job.tables.map { try runner.table($0, of: briefcase) }
        let count = tables.reduce(0) { $0 + (briefcase.changes?.table($1.name)?.changedRows.count ?? 0) }
        guard count == 0 else {
            let place = Printable(runner.path)
            let advice = "apply them, or drop them by their numbers in 'table pending list \(place)'"
            throw DataFailure(.failed, "\(Counted(count, "pending change")) would be lost: \(advice)")
        }
        for table in tables { briefcase.remove(table.name) }
        if briefcase.tables.isEmpty { try file.remove() } else { try file.save(briefcase, tables: []) }
        let names = tables.map { "\(Printable($0.name))" }.joined(separator: ", ")
        text.tell(["removed": .array(tables.map { .string($0.name) })], else: "no longer kept: \(names)")
    }

    /// Shows the kept sets.
    func listKept() throws {
        let sets = try keptSets().compactMap { set -> (set: KeptSet, record: BriefcaseRecord)? in
            do throws(BriefcaseError) {
                return try Briefcase.load(set.path).map { (set, BriefcaseRecord($0, .folder)) }
            } catch {
                text.note("\(Printable(set.path)): \(Printable("\(error)"))")
                return nil
            }
        }
        guard !text.isDocument else {
            let objects = sets.map { set, record -> JSONValue in
                var object = set.json
                object["ageSeconds"] = record.ageSeconds.map { .integer(Int64($0)) }
                object["tables"] = record.tables.jsonValue
                return .object(object)
            }
            return text.write(["kept": .array(objects)])
        }
        guard !sets.isEmpty else { return text.note("no tables are kept") }
        text.write(
            ["ENDPOINT", "SERVICE", "LOGIN", "AGE", "TABLES", "ROWS", "PENDING", "PATH"],
            sets.map { set, record in
                [set.name, set.service, set.login ?? "", record.age ?? ""] + record.counts + [set.path]
            }
        )
    }

    /// Prints the kept sets for relctl. No table is read.
    func findKept() throws { text.write(["kept": .array(try keptSets().map { .object($0.json) })]) }
}
