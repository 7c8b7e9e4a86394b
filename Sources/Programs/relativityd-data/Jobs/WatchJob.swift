// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import EventLoops
import JSON
import LocalAPI
import Platform

extension JobRunner {
    /// Prints the changes of a table until the task is cancelled.
    func watch() async throws {
        var reader = try reader()
        let adapter = reader.adapter
        let query = try query(table())
        guard !job.rows.isExplained else { return try explain([try await reader.plan(query)]) }
        do {
            try await watch(query, &reader)
        } catch {
            await shielded { try? await adapter.unregisterForChanges(of: query.table) }
            throw error
        }
    }

    private func watch(_ query: TableQuery, _ reader: inout TableReader) async throws {
        let codePage = try codePage()
        let lines = WatchLines(job)
        var hasChanges = false
        var watch = TableWatch(key: job.keys.isEmpty ? nil : job.keys) { change, row in
            if change != .present, !hasChanges {
                hasChanges = true
                lines.write(.tablesChanged)
            }
            if change != .present || job.showsAll { try lines.write(change, row) }
        }
        var life = WatchLife()
        var schedule = WatchSchedule(every: .seconds(job.everySeconds), now: .now)
        var polls: Bool?
        var hasNotedPage = false
        while true {
            let pause = schedule.pause(at: .now)
            guard pause == .zero || life.isOffline else {
                try await loop.sleep(for: polls == true ? min(pause, WatchSchedule.pollInterval) : pause)
                guard polls == true else { continue }
                do {
                    let changed = try await reader.adapter.changedTables()
                    if changed.contains(where: { NameMatch.isSimilar($0, query.table) }) { schedule.report() }
                } catch DataAdapterError.exception(let exception) where !exception.isFromDaemon {
                    polls = false
                } catch is DataAdapterError {
                    // The vault may be locked, or the server away. A reading fails then.
                    schedule.report()
                }
                continue
            }
            let isFirst = polls == nil
            let start = ContinuousClock.now
            let record: ReadRecord
            do {
                if !isFirst, !life.isOffline { lines.write(.busy) }
                // Before each reading, because the daemon may have logged in again.
                polls = try await isRegistered(reader.adapter, query.table)
                if life.answered() { report(.online, lines) }
                schedule.begin()
                hasChanges = false
                record = try await reader.read(query, into: &watch)
                try watch.finish()
            } catch {
                let wasOffline = life.isOffline
                let pause = try life.failed(error)
                if !wasOffline { report(.offline, lines) }
                try await loop.sleep(for: pause)
                continue
            }
            life.read()
            lines.write(.ready)
            schedule.read(from: start, to: .now)
            if codePage.wasGuessed, !hasNotedPage {
                try noteCodePage()
                hasNotedPage = true
            }
            guard isFirst else { continue }
            await conclude(record.notes, &reader)
            guard polls == false else { continue }
            let server = "\(Printable(job.adapters[0].name))"
            text.note("\(server) reports no changes: compared every \(Counted(Int(job.everySeconds), "second"))")
        }
    }

    /// Registers for changes. Returns false if the server refuses it, or the daemon, because the server is read-only.
    private func isRegistered(_ adapter: RemoteDataAdapter, _ table: String) async throws -> Bool {
        do {
            try await adapter.registerForChanges(of: table)
            return true
        } catch DataAdapterError.exception(let exception) where !exception.isFailureOfServer {
            return false
        }
    }

    /// Notes that the server cannot be reached, or answers again. In JSON that is a line.
    private func report(_ state: WatchLife.State, _ lines: WatchLines) {
        lines.write(state)
        guard !text.isDocument else { return }
        let server = Printable(job.adapters[0].name)
        text.note(state == .offline ? "\(server) cannot be reached: trying again" : "\(server) answers again")
    }
}

/// The lines of `table watch`: a table whose columns get wider as needed, or an object in each line.
final class WatchLines {
    /// A column does not become wider for longer texts.
    private static let mostColumns = 40

    private let text: JobOutput
    private let options: FormatOptions
    private var widths: [Int] = []

    init(_ job: DataJob) {
        text = job.output
        options = job.output.options
    }

    /// Writes a state, in JSON only.
    func write(_ state: WatchLife.State) {
        if text.isDocument { Main.write(Array("{\"schemaVersion\":1,\"state\":\"\(state.rawValue)\"}\n".utf8)) }
    }

    func write(_ change: TableWatch.Change, _ row: TableWatch.Row) throws {
        guard !text.isDocument else { return try writeObject(change, row) }
        if widths.isEmpty { write(["CHANGE"] + row.table.columns.map { "\(Printable($0.name))" }, least: 8) }
        let cells = try RowTexts(row.head).cells(of: row.rows, row.index)
        var line = Array(repeating: "", count: row.table.columns.count)
        for (column, cell) in zip(row.columns, cells) { line[column] = cell.map { "\(Printable($0))" } ?? "NULL" }
        write([change.rawValue] + line)
    }

    private func write(_ cells: [String], least: Int = 0) {
        if widths.isEmpty { widths = [least] + Array(repeating: 0, count: cells.count - 1) }
        var line = ""
        for (index, cell) in cells.enumerated() {
            let width = Printable.width(of: cell)
            widths[index] = max(widths[index], min(width, Self.mostColumns))
            line += cell + String(repeating: " ", count: max(0, widths[index] - width) + 2)
        }
        while line.last == " " { line.removeLast() }
        Main.write(Array((line + "\n").utf8))
    }

    private func writeObject(_ change: TableWatch.Change, _ row: TableWatch.Row) throws {
        let sink = OutputSink()
        var writer = JSONRowWriter(sink, .lines, options)
        try writer.begin(row.head)
        try writer.add(row.rows, [row.index])
        let member = change == .removed ? "key" : "row"
        let start = "{\"schemaVersion\":1,\"change\":\"\(change.rawValue)\",\"\(member)\":"
        Main.write(Array(start.utf8) + sink.takeBytes().dropLast() + Array("}\n".utf8))
    }
}
