// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import JSON
import LocalAPI
import VarlinkService

/// Sends rows to the caller of a read.
protocol CallRows: RowConsumer {
    /// The number of rows that were sent.
    var count: Int64 { get }
}

extension CallRows {
    /// Sends the rows that `body` reads. The last reply of the call is not sent.
    ///
    /// - Returns: also the number of rows.
    func send<Result>(_ body: (inout Self) async throws -> Result) async throws -> (result: Result, count: Int64) {
        var rows = self
        do {
            let result = try await body(&rows)
            try await rows.finish()
            return (result, rows.count)
        } catch {
            await rows.fail()
            throw error
        }
    }
}

/// Sends rows as the replies of a call. Each batch waits until the caller has read the earlier ones.
struct RowReplies: CallRows {
    private let call: VarlinkCall
    private let options: FormatOptions
    private let namesTables: Bool
    private var rows: JSONRowArrays?
    /// The number of rows that were sent.
    private(set) var count: Int64 = 0

    /// - Parameters:
    ///   - namesTables: whether the first reply of a table has its name.
    ///   - columns: the names of the columns to send, in order; nil for all.
    init(
        _ call: VarlinkCall,
        numbersAsText: Bool?,
        namesTables: Bool = false,
        columns: [String]? = nil
    ) {
        self.call = call
        self.namesTables = namesTables
        var options = FormatOptions()
        options.columns = columns
        options.numbersAsText = numbersAsText ?? false
        self.options = options
    }

    mutating func begin(_ table: TableHead) async throws {
        let rows = try JSONRowArrays(table, options)
        self.rows = rows
        let reply = DataAPI.ReadTablesReply(
            table: namesTables ? table.name : nil,
            fields: rows.columns.map { DataAPI.Field($0) }
        )
        try await call.reply(continuing: ReadyReply(reply, continues: true))
    }

    mutating func add(_ batch: DataRows, _ indices: [Int]?) async throws {
        var left = (indices ?? Array(batch.indices))[...]
        count += Int64(left.count)
        while !left.isEmpty, let text = try rows?.text(of: batch, &left, opening: #"{"rows":"#, closing: "}") {
            try await call.reply(continuing: ReadyReply(text: text, continues: true))
        }
    }

    mutating func finish() async throws {}
}

extension DataAPI.Evaluated {
    init(_ record: ReadRecord) {
        self.init(server: record.serverSteps.map(\.rawValue), here: record.localSteps.map(\.rawValue))
    }
}

extension DataAPI.Field {
    init(_ column: OutputColumn) {
        self.init(
            name: column.name,
            type: column.type.shortName,
            key: column.isInPrimaryKey,
            required: column.isRequired
        )
    }
}

extension DataAPI.Note {
    init(_ note: ReadNote) {
        self.init(step: note.step.rawValue, reason: "")
        switch note.reason {
        case .isLocal: reason = "local"
        case .lacks(let feature):
            reason = "lacks"
            self.feature = feature.rawValue
        case .refused: reason = "refused"
        case .unsent: reason = "unsent"
        case .severalFields: reason = "severalFields"
        case .notInStatement: reason = "notInStatement"
        case .otherDatabase: reason = "otherDatabase"
        }
    }
}
