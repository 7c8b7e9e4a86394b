// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

extension JobRunner {
    private static let cacheName = "server-features"

    /// The features of a server that were found out during the last day, and what the daemon refuses.
    func knownFeatures(_ index: Int) -> ServerFeatures {
        var features = ServerFeatures()
        if let key = featureKey(index), let cache = try? openedCache().cache {
            features = cache.features(for: key, now: Int64(time(nil))) ?? features
        }
        features.merge(refused(index))
        return features
    }

    private func refused(_ index: Int) -> ServerFeatures {
        job.adapters[index].refusesChanges ? .ofReadOnly : ServerFeatures()
    }

    /// Keeps what a read has shown that the server refuses, so that later reads do not try it.
    func learn(from notes: [ReadNote], _ reader: inout TableReader, _ index: Int = 0) async {
        let known = reader.features
        // The read has succeeded, so an error of these requests is no error of the job.
        try? await reader.learn(from: notes)
        guard reader.features != known, let key = featureKey(index) else { return }
        changeCache { [features = reader.features] in $0.add(features, for: key, now: Int64(time(nil))) }
    }

    /// Shows what the server can do.
    func showFeatures() async throws {
        var reader = try reader()
        if job.isProbing {
            reader.features = refused(0)
            let table = try await tableToProbe(&reader)
            try await reader.probe(table)
            for (feature, path) in [(ServerFeature.rest, ServerPath.rest), (.oData, .oData), (.httpAPI, .httpAPI)] {
                // A grant permits no GET, and a server may answer none.
                guard let isServed = try? await reader.adapter.isServed(path) else { continue }
                reader.features[feature] = FeatureFinding(isServed, .probed)
            }
            let (key, features) = (featureKey(0), reader.features)
            if let key { changeCache { $0.store(features, for: key, now: Int64(time(nil))) } }
        }
        let features = reader.features
        let answers = ServerFeature.allCases.map { feature in
            (feature.rawValue, features[feature].map { $0.isAvailable ? "yes" : "no" } ?? "unknown")
        }
        guard !text.isDocument else {
            return text.write(["features": .object(JSONObject(answers.map { ($0.0, .string($0.1)) }))])
        }
        text.write(["FEATURE", "ANSWER"], answers.map { [$0.0, $0.1] })
        if job.adapters[0].isReadOnly {
            text.note("\(Printable(job.adapters[0].name)) is read-only: the daemon refuses calls that may change data")
        }
        if features.probed.isEmpty { text.note("nothing is known of this server: use --probe") }
    }

    /// A table that is in the schema, or the one that the user named. A schema without commands shows that there are
    /// none. With commands it does not show whether the server executes them.
    private func tableToProbe(_ reader: inout TableReader) async throws -> String {
        do {
            let schema = try await schema(reader.adapter)
            if schema.commands.isEmpty, reader.features[.commands] == nil {
                reader.features[.commands] = FeatureFinding(false, .probed)
            }
            guard let table = job.tables.first ?? schema.tables.first?.name else {
                throw DataFailure(.notFound, "the schema has no table to read")
            }
            return table
        } catch let error as DataAdapterError where error.isRefusal {
            guard let table = job.tables.first else { throw error }
            return table
        }
    }

    /// Changes the cache. A file that cannot be written keeps nothing.
    private func changeCache(_ change: (inout FeatureCache) -> Void) {
        guard var opened = try? openedCache() else { return }
        change(&opened.cache)
        try? opened.cache.write(to: Self.cacheName, in: opened.directory)
    }

    private func featureKey(_ index: Int) -> FeatureKey? {
        let adapter = job.adapters[index]
        return adapter.identity.map {
            FeatureKey(identity: $0, service: adapter.service, login: adapter.login ?? "")
        }
    }

    private func openedCache() throws -> (cache: FeatureCache, directory: ProtectedDirectory) {
        let directory = try cacheDirectory()
        return (try FeatureCache(reading: Self.cacheName, in: directory), directory)
    }

    /// The directory of the files with the features and with the names for completion.
    func cacheDirectory() throws -> ProtectedDirectory {
        try ProtectedDirectory(Directories(.ofProcess()).state, creating: true)
    }
}

extension JobRunner {
    /// Compares two tables and prints the rows that differ.
    ///
    /// - Returns: the exit status.
    func diff() async throws -> Int32 {
        let diff = try TableDiff(key: job.keys.isEmpty ? nil : job.keys, job.output.options)
        for side in TableDiff.Side.allCases {
            var rows = ShownRows(diff.consumer(side), job)
            var reader = try reader(side.rawValue)
            let record = try await reader.read(query(table(side.rawValue)), into: &rows)
            rows.clear()
            await conclude(record.notes, &reader, side.rawValue)
        }
        try noteCodePage()
        if job.adapters[1].name != job.adapters[0].name { try noteCodePage(1) }
        let counts = try show(diff, prefix: text.isDocument ? "{\"schemaVersion\":1," : "")
        if text.isDocument { Main.write(Array("}\n".utf8)) }
        return counts.areEqual ? EXIT_SUCCESS : ExitStatus.tablesDiffer.rawValue
    }

    /// Prints the differences of two tables: lines, or members of an object of JSON. They are written as they are found,
    /// because there may be more than memory holds.
    ///
    /// - Parameter prefix: the beginning of each line, or of the members.
    func show(_ diff: TableDiff, prefix: String) throws -> TableDiff.Counts {
        for side in TableDiff.Side.allCases {
            let columns = diff.columnsOnly(in: side)
            guard !columns.isEmpty else { continue }
            let names = columns.map { "\(Printable($0))" }.joined(separator: ", ")
            text.note("only the \(side == .left ? "first" : "second") table has, and not compared: \(names)")
        }
        guard text.isDocument else {
            return try diff.compare { text.write(line: prefix + $0.line) }
        }
        var start = "\(prefix)\"differences\":["
        let counts = try diff.compare { difference in
            Main.write(Array(start.utf8) + diff.json(difference))
            start = ",\n"
        }
        if counts.areEqual { Main.write(Array(start.utf8)) }
        let numbers = [
            ("first", counts.removed), ("second", counts.added), ("changed", counts.changed), ("same", counts.same),
        ]
        Main.write(Array("],\(numbers.map { "\"\($0)\":\($1)" }.joined(separator: ","))".utf8))
        let unknown = TableDiff.Side.allCases.map { diff.columnsOnly(in: $0) }
        if unknown.contains(where: { !$0.isEmpty }) {
            let names = unknown.map { JSONValue.array($0.map { .string($0) }) }
            Main.write(Array(",\"notCompared\":".utf8))
            Main.write(JSONValue.object(["first": names[0], "second": names[1]]).serialized())
        }
        return counts
    }
}

extension TableDiff.Difference {
    /// A line of `table diff`: `-` is a row of the first table only, `+` one of the second only, `~` one that differs.
    fileprivate var line: String {
        switch self {
        case .removed(let key, let cells): "- \(Self.text(key)): \(Self.text(cells))"
        case .added(let key, let cells): "+ \(Self.text(key)): \(Self.text(cells))"
        case .changed(let key, let changes):
            "~ \(Self.text(key)): "
                + changes.map { "\(Printable($0.column)) \(Self.text([$0.old])) -> \(Self.text([$0.new]))" }
                .joined(separator: "; ")
        }
    }

    private static func text(_ cells: [String?]) -> String {
        cells.map { $0.map { "\(Printable($0))" } ?? "NULL" }.joined(separator: ", ")
    }
}
