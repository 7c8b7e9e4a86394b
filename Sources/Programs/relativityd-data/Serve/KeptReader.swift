// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform
import Varlink
import VarlinkService

/// The kept tables of the user, for reading. relctl writes them.
struct KeptReader {
    /// The maximum bytes of the files of one set. It is in memory during a call.
    static let maximumBytes = 64 << 20

    private let directory: String

    init(_ directory: String) {
        self.directory = directory
    }

    /// All sets. The tables of one that cannot be read are absent.
    func all() -> [DataAPI.KeptSet] {
        sets.map { set in
            var record = DataAPI.KeptSet(endpoint: set.endpoint, name: set.name, service: set.service)
            guard let briefcase = try? Self.load(set) else { return record }
            let found = BriefcaseRecord(briefcase, .folder)
            record.saved = found.saved
            record.tables = found.tables
            return record
        }
    }

    /// Sends the rows of a table.
    ///
    /// - Throws: `DataError.tableUnknown`, `DataError.tooMuchToRead`, `DataError.failed`; `PredicateError`, `EditError`, `FormatError`.
    func read(
        _ parameters: DataAPI.ReadKeptCall,
        _ query: TableQuery,
        _ rule: ArrowDecimals.Rule,
        _ call: VarlinkCall
    ) async throws {
        let briefcase = try Self.load(try set(parameters))
        guard let stored = briefcase.table(query.table) else { throw Self.unknown(query.table) }
        let columns = query.fields.isEmpty ? nil : query.fields
        let count: Int64
        if call.wantsUpgrade {
            let replies = ArrowReplies(call, ArrowDecimals(rule), columns: columns)
            count = try await replies.send { try await briefcase.read(stored, query, into: &$0) }.count
        } else {
            let replies = RowReplies(call, numbersAsText: parameters.numbersAsText, columns: columns)
            count = try await replies.send { try await briefcase.read(stored, query, into: &$0) }.count
        }
        let saved = briefcase.properties[Briefcase.savedKey]
        call.reply(DataAPI.ReadKeptReply(count: count, saved: saved).json)
    }

    private var sets: [KeptSet] { KeptSet.all(in: directory) { _, _ in } }

    private func set(_ parameters: DataAPI.ReadKeptCall) throws -> KeptSet {
        let service = parameters.service
        let found = sets.filter { set in
            [set.endpoint, set.name].contains(parameters.endpoint) && (service == nil || set.service == service)
        }
        let exact = found.filter { $0.endpoint == parameters.endpoint }
        guard let set = exact.first ?? found.first else { throw Self.unknown(parameters.table) }
        guard exact.count == 1 || found.count == 1 else {
            throw VarlinkError.invalidParameter(service == nil ? "service" : "endpoint")
        }
        return set
    }

    /// - Throws: `DataError.tooMuchToRead`, `DataError.failed`.
    private static func load(_ set: KeptSet) throws -> Briefcase {
        let bytes = DirectoryNames.of(set.path).reduce(0) { sum, name in
            var facts = stat()
            return stat("\(set.path)/\(name)", &facts) == 0 ? sum + Int(facts.st_size) : sum
        }
        guard bytes <= maximumBytes else {
            throw DataError.tooMuchToRead(message: "the kept tables are too large", limit: Int64(maximumBytes))
        }
        do throws(BriefcaseError) {
            guard let briefcase = try Briefcase.load(set.path) else { throw .system("open", ENOENT) }
            return briefcase
        } catch {
            throw DataError.failed(message: "the kept tables cannot be read: \(Printable("\(error)"))")
        }
    }

    private static func unknown(_ table: String) -> DataError {
        DataError.tableUnknown(message: "no kept table '\(Printable(table))'", table: table)
    }
}

extension DataService {
    func listKept(_ call: TypedCall<DataAPI.ListKeptCall>) async throws {
        let sets = await withTaskExecutorPreference(statements) { kept.all() }
        call.reply(.init(kept: sets))
    }

    func readKept(_ call: TypedCall<DataAPI.ReadKeptCall>) async throws {
        try Self.checkRows(call.untyped)
        let parameters = call.parameters
        let rule = try Self.rule(parameters.decimal)
        try await DataFailure.translating {
            var query = TableQuery(parameters.table)
            query.fields = parameters.fields ?? []
            query.predicate = try parameters.where.map { try Expression(predicate: $0) }
            query.order = (parameters.order ?? []).map(FieldOrder.init(parsing:))
            query.limit = try Self.limit(parameters.limit)
            let (wanted, kept) = (query, kept)
            try await withTaskExecutorPreference(statements) {
                try await kept.read(parameters, wanted, rule, call.untyped)
            }
        }
    }
}
