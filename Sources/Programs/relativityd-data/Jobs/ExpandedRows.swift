// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import DataJobs
import Endpoints
import JSON

/// Prints each row as a list of its fields, one in each line.
struct ExpandedRows: RowConsumer {
    private let text: JobText
    private var names: [String] = []
    private var count = 0

    init(_ output: JobOutput) {
        text = JobText(output)
    }

    mutating func begin(_ table: TableHead) {
        let shown = table.columns.map { "\(Printable($0.name))" }
        let width = shown.map { Printable.width(of: $0) }.max() ?? 0
        names = shown.map { $0 + String(repeating: " ", count: width - Printable.width(of: $0)) }
    }

    mutating func add(_ rows: DataRows, _ indices: [Int]?) {
        for index in indices ?? Array(rows.indices) {
            count += 1
            text.write(line: "-- row \(count)")
            for (name, value) in zip(names, rows[index]) { text.write(line: "\(name)  \(Self.text(value))") }
        }
    }

    func finish() {}

    private static func text(_ value: DataValue) -> String {
        if case .dateTime(let days) = value { return PredicateDate(days: days)?.description ?? "\(days)" }
        let json = value.json
        return json.isNull
            ? "NULL" : "\(Printable(json.stringValue ?? String(decoding: json.serialized(), as: UTF8.self)))"
    }
}
