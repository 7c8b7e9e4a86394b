// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import JSON
import LocalAPI
import VarlinkService

/// Compares readings of a table, and sends the rows that differ and the states of the watch as the replies of a call. The
/// first reading sends the columns only. Each batch waits until the caller has read the earlier ones.
struct WatchReplies: RowConsumer {
    /// Rows of one batch with the same change.
    private struct Part {
        let change: TableWatch.Change
        let head: TableHead
        let rows: DataRows
        var indices: [Int]
    }

    /// Receives the differences of one batch.
    private final class Found {
        var parts: [Part] = []

        func add(_ change: TableWatch.Change, _ row: TableWatch.Row) {
            if let last = parts.indices.last, parts[last].change == change {
                parts[last].indices.append(row.index)
            } else {
                parts.append(Part(change: change, head: row.head, rows: row.rows, indices: [row.index]))
            }
        }
    }

    /// The memory of keys and digests of one call: about 300,000 rows.
    private static let mostBytes = 32 << 20

    private let call: VarlinkCall
    private let options: FormatOptions
    private let notes: [ReadNote]
    private let found: Found
    private var watch: TableWatch
    private var columns: [OutputColumn]?
    private var isFirst = true
    private var hasChanges = false
    private var life = WatchLife()

    /// - Parameters:
    ///   - key: the names of the fields that identify a row; nil for the key of the schema.
    ///   - notes: those of each reading.
    init(_ call: VarlinkCall, key: [String]?, numbersAsText: Bool, notes: [ReadNote]) {
        (self.call, self.notes) = (call, notes)
        var options = FormatOptions()
        options.numbersAsText = numbersAsText
        self.options = options
        let found = Found()
        self.found = found
        watch = TableWatch(key: key, mostBytes: Self.mostBytes) { change, row in
            if change != .present { found.add(change, row) }
        }
    }

    /// A reading will begin.
    func start() async throws {
        if !isFirst, !life.isOffline { try await send(.busy) }
    }

    /// A reading has failed.
    ///
    /// - Returns: the time until the next one.
    /// - Throws: the error, if it ends the watch.
    mutating func failed(_ error: any Error) async throws -> Duration {
        let wasOffline = life.isOffline
        let pause = try life.failed(error)
        found.parts = []
        if !wasOffline { try await send(.offline) }
        return pause
    }

    mutating func begin(_ table: TableHead) async throws {
        if life.answered() { try await send(.online) }
        hasChanges = false
        try watch.begin(table)
        if columns == nil { columns = try JSONRowArrays(table, options).columns }
    }

    mutating func add(_ rows: DataRows, _ indices: [Int]?) async throws {
        try watch.add(rows, indices)
        try await send()
    }

    /// Ends a reading, and sends the removed rows. The first reading sends the columns.
    mutating func finish() async throws {
        try watch.finish()
        if isFirst, let columns {
            isFirst = false
            let reply = DataAPI.WatchReply(
                fields: columns.map { DataAPI.Field($0) },
                notes: notes.isEmpty ? nil : notes.map { DataAPI.Note($0) }
            )
            try await call.reply(continuing: ReadyReply(reply, continues: true))
        }
        try await send()
        life.read()
        try await send(.ready)
    }

    private func send(_ state: WatchLife.State) async throws {
        let reply = DataAPI.WatchReply(state: DataAPI.WatchState(rawValue: state.rawValue))
        try await call.reply(continuing: ReadyReply(reply, continues: true))
    }

    private mutating func send() async throws {
        let parts = found.parts
        found.parts = []
        if !parts.isEmpty, !hasChanges {
            hasChanges = true
            try await send(.tablesChanged)
        }
        for part in parts {
            var arrays = try JSONRowArrays(part.head, options)
            let opening = #"{"change":"\#(part.change.rawValue)","rows":"#
            var left = part.indices[...]
            while !left.isEmpty {
                let text = try arrays.text(of: part.rows, &left, opening: opening, closing: "}")
                try await call.reply(continuing: ReadyReply(text: text, continues: true))
            }
        }
    }
}
