// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Remoting

extension TableReader {
    /// Finds out what the server can do by reading a table, and adds it to `features`.
    ///
    /// - Throws: `ReadError.missingTable` if the server refuses a plain request for the table; `DataAdapterError`,
    ///   `TableError`, `CancellationError`.
    package mutating func probe(_ table: String) async throws {
        let adapter = adapter
        if features[.schema] == nil {
            features[.schema] = FeatureFinding(
                try await Self.isTaken { _ = try await adapter.tableSchema([table]) },
                .probed
            )
        }
        features = try await FeatureProbe(table, known: features, ask: Self.asking(adapter, limits)).answers()
        if features[.sqlText] == nil { features[.sqlText] = FeatureFinding(try await takesSQLText(), .probed) }
    }

    /// Finds out whether the server lacks what it refused during a read, and adds it to `features`. A server that
    /// refused one query may accept others, so it is asked for what every server with the feature accepts.
    ///
    /// - Parameter notes: the notes of the read.
    /// - Throws: as `probe`.
    package mutating func learn(from notes: [ReadNote]) async throws {
        let refused = notes.filter { $0.reason == .refused }
        // `run(statement:)` has asked for a field of a table before it reported this.
        if refused.contains(where: { $0.step == .sql }) { features[.daSQL] = FeatureFinding(false, .probed) }
        for (table, notes) in Dictionary(grouping: refused.filter { $0.step != .sql }, by: \.table) {
            let wanted = Set(notes.compactMap(\.step.feature)).filter { features[$0] == nil }
            guard !wanted.isEmpty else { continue }
            features = try await FeatureProbe(table, known: features, wanted: wanted, ask: Self.asking(adapter, limits))
                .answers()
        }
    }

    /// Whether the server takes SQL of its database: the empty statement, or one that reads a constant.
    private func takesSQLText() async throws -> Bool {
        for sql in ["", "SELECT 1"] {
            let isTaken = try await Self.isTaken {
                let values: [RemotingValue] = [.utf8String(sql), .boolean(false), .integer(0)]
                _ = try await adapter.call(ServiceCatalog.sqlData, values)
            }
            if isTaken { return true }
        }
        return false
    }

    private static func isTaken(_ call: () async throws -> Void) async throws -> Bool {
        do {
            try await call()
            return true
        } catch let error as DataAdapterError where error.isRefusal {
            return false
        }
    }

    private static func asking(
        _ adapter: RemoteDataAdapter,
        _ limits: TableLimits
    ) -> (TableRequest) async throws -> ProbeAnswer {
        { request in
            do {
                var head: TableHead?
                var rows: [[DataValue]] = []
                for try await event in try await adapter.data([request], limits: limits) {
                    switch event {
                    case .table(let table): head = table
                    case .rows(let more): rows += more.prefix(Int(FeatureProbe.sampleRows)).map(Array.init)
                    }
                    // A server may ignore the limit.
                    if rows.count >= Int(FeatureProbe.sampleRows) { break }
                }
                guard let head else { throw ReadError.missingTable(request.table) }
                return .rows(head, rows)
            } catch let error as DataAdapterError where error.isRefusal {
                return .refused
            }
        }
    }
}

extension FeatureProbe {
    /// The answers of `run`, without a variable for the probe.
    fileprivate func answers() async throws -> ServerFeatures {
        var probe = self
        return try await probe.run()
    }
}

extension ReadStep {
    /// The feature that a server may lack if it refuses this step; nil if it is no feature.
    fileprivate var feature: ServerFeature? {
        switch self {
        case .filter: .where
        case .select: .select
        case .count, .sql: .daSQL
        case .read, .sort, .limit: nil
        }
    }
}
