// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
internal import DataAccess
internal import Glibc
internal import JSON
internal import NIOCore
internal import SQLite
internal import TestSupport

/// Tables of every type with edge values: what is written can be imported without a change, and each value has one text.
package enum ValueRuns {
    private static let types = DataType.allCases.filter {
        ![.unknown, .cursor, .autoInc, .largeAutoInc].contains($0)
    }
    private static let columns =
        [DataColumn("Id", .integer)] + types.map { DataColumn("\($0)", $0, size: $0 == .guid ? 36 : 1000) }
    private static let rowCount = 12

    /// Checks random tables.
    ///
    /// - Returns: a line of text.
    /// - Throws: `RunFailure` for the first difference.
    package static func tables(_ count: Int) async throws -> String {
        let folder = TemporaryDirectory()
        for seed in 0..<count {
            var numbers = SeededRandom(seed: UInt64(seed) &* 6_121)
            var table = try DataTable(name: "T", columns: columns)
            for row in 0..<rowCount {
                try table.append([.integer(Int64(row))] + types.map { edge($0, &numbers) })
            }
            do {
                var options = FormatOptions()
                options.numbersAsText = Bool.random(using: &numbers)
                for format in Format.allCases { try await unchanged(table, format, options, folder) }
                try sameJSON(table, options)
                try sameText(table)
                try stored(table, folder)
            } catch {
                throw RunFailure("seed \(seed): \(error)")
            }
        }
        return "\(count) tables of every type were unchanged by imports, and had one text"
    }

    // MARK: Values

    private static func edge(_ type: DataType, _ numbers: inout SeededRandom) -> DataValue {
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &numbers)] }
        switch type {
        case .dateTime:
            let day = Double(Int.random(in: -693_593...2_958_465, using: &numbers))
            let milliseconds = Double(Int.random(in: 0..<86_400_000, using: &numbers)) / 86_400_000
            return .dateTime(
                days: pick([
                    day, day.magnitude + milliseconds, -day.magnitude - milliseconds, -693_593, 0, 45_292, -0.25, 3e6,
                    -1e9,
                    .infinity, 1e300, -0.0, .random(in: -1e5...1e5, using: &numbers), 2_958_465.999999,
                ])
            )
        case .float:
            let bits = Double(bitPattern: .random(in: 0...UInt64.max, using: &numbers))
            return .float(pick([bits.isFinite ? bits : 0, 0, -0.0, 0.1, 1e20, .leastNonzeroMagnitude, 1431.51, 1e-5]))
        case .singleFloat:
            let bits = Float(bitPattern: .random(in: 0...UInt32.max, using: &numbers))
            return .float(Double(pick([bits.isFinite ? bits : 0, 0, 0.1, 16_777_216, .leastNonzeroMagnitude, 1e20])))
        case .currency:
            return .currency(
                scaled: pick([.min, .max, 0, -1, 14_315_100, 10_000, .random(in: -9...9, using: &numbers)])
            )
        case .decimal:
            let digits = UInt64.random(in: 0...(.max), using: &numbers)
            let text = pick([
                "0", "0.00", "1.50", "-79228162514264337593543950335", "0.0000000000000000000000000001",
                "\(digits)", "-\(digits / 1000).\(digits % 9 + 1)00",
            ])
            return DataDecimal(text).map { .decimal($0) } ?? .null
        case .guid: return .text("\(pick(["0", "a"]))1234567-89aB-cdef-0123-456789abcdef")
        case .string, .memo, .fixedChar, .wideString, .wideMemo, .fixedWideChar, .xml:
            let texts = [
                "", "NULL", "a,b", "\"", "a\"b", "\r\n", " a ", "é\u{ff}", "2024-01-01", "\\N", "'", "\t",
                "\u{7f}\u{85}",
            ]
            let wide = ["€", "😀", "e\u{301}", "\u{feff}a"]
            return pick([true, true, true, false]) ? .text(pick(type.isNarrow ? texts : texts + wide)) : .null
        default: return .random(as: type, &numbers)
        }
    }

    // MARK: Imports

    private enum Format: CaseIterable {
        case csv, tsv, json, jsonl
    }

    private static func unchanged(
        _ table: DataTable,
        _ format: Format,
        _ options: FormatOptions,
        _ folder: TemporaryDirectory
    ) async throws {
        let path = folder.path(of: "rows")
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let sink = OutputSink(descriptor)
        var source = ImportFormat(.json)
        switch format {
        case .csv, .tsv:
            var options = options
            // A text that no value has.
            options.nullText = options.numbersAsText ? "\\N?" : nil
            source = ImportFormat(.csv)
            source.nullText = options.nullText
            if format == .tsv { source.usualDelimiter = UInt8(ascii: "\t") }
            try await write(table, CSVWriter(sink, options, isTabbed: format == .tsv))
        case .json: try await write(table, JSONRowWriter(sink, .array, options))
        case .jsonl: try await write(table, JSONRowWriter(sink, .lines, options))
        }
        lseek(descriptor, 0, SEEK_SET)
        let fields = table.columns.map { column in
            var field = EditableField(column, nil)
            field.isInPrimaryKey = column.name == "Id"
            return field
        }
        var changes = try ChangeSet([EditableTable(name: "T", fields: fields, rows: [table.rows])])
        var records = try ImportSource(descriptor, source)
        let report = try TableImport.run(&records, into: "T", match: [], offline: &changes) { _ in }
        guard report.unchanged == table.rows.count, report.failures.isEmpty else {
            throw RunFailure("\(format): \(report)\n\(changes.pendingRows)")
        }
    }

    private static func write(_ table: DataTable, _ consumer: some RowConsumer) async throws {
        var consumer = consumer
        try await consumer.begin(table.head)
        try await consumer.add(table.rows, nil)
        try await consumer.finish()
    }

    // MARK: Forms

    private static func sameJSON(_ table: DataTable, _ options: FormatOptions) throws {
        var rows = try JSONRowArrays(table.head, options)
        let cells = table.rows.map { row in
            JSONValue.array(zip(table.columns, row).map { $1.json(as: $0.type, numbersAsText: options.numbersAsText) })
        }
        let expected = try JSONValue.parsingNumbersAsText(JSONValue.array(Array(cells)).serialized())
        var left = Array(table.rows.indices)[...]
        let found = try JSONValue.parsingNumbersAsText(rows.text(of: table.rows, &left))
        guard found == expected else { throw RunFailure("JSON \(found.text)\ninstead of \(expected.text)") }
    }

    private static func sameText(_ table: DataTable) throws {
        let texts = try RowTexts(table.head)
        for (index, row) in table.rows.enumerated() {
            for (column, (text, value)) in zip(table.columns, zip(try texts.cells(of: table.rows, index), row)) {
                guard column.type != .blob else { continue }
                guard text == value.text(as: column.type) else {
                    throw RunFailure("\(column.name): \(text ?? "NULL"), not \(value)")
                }
                guard let text else { continue }
                guard let read = DataValue(text, as: column.type), read.text(as: column.type) == text else {
                    throw RunFailure("\(column.name): \(text) is not read")
                }
            }
        }
    }

    private static func stored(_ table: DataTable, _ folder: TemporaryDirectory) throws {
        let path = folder.path(of: "rows.db")
        let export = try SQLiteExport(to: path, .new(replacesExisting: true))
        try export.begin(table.head)
        try export.add(table.rows, nil)
        try export.finish()
        let database = try SQLiteDatabase(.file(path), .readOnly)
        for column in table.columns where ![.blob, .boolean, .float, .singleFloat].contains(column.type) {
            let exact = [.currency, .decimal, .largeUInt].contains(column.type) ? "_exact" : ""
            let found = try database.rows("SELECT CAST(\"\(column.name)\(exact)\" AS TEXT) FROM T ORDER BY Id") {
                try $0.text(0)
            }
            let index = table.columns.firstIndex { $0.name == column.name } ?? 0
            let expected = table.rows.map { $0[index].text(as: column.type) }
            guard found == expected else { throw RunFailure("SQLite \(column.name): \(found) instead of \(expected)") }
        }
    }
}

extension DataType {
    fileprivate var isNarrow: Bool { [.string, .memo, .fixedChar].contains(self) }
}
