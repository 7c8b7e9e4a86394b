// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import LocalAPI
import NIOCore

/// Prints each row as a list of its fields, one in each line.
struct ExpandedRows: RowConsumer {
    private let text: JobOutput
    private var names: [String] = []
    private var types: [DataType] = []
    private var count = 0

    init(_ output: JobOutput) {
        text = output
    }

    mutating func begin(_ table: TableHead) {
        let shown = table.columns.map { "\(Printable($0.name))" }
        types = table.columns.map(\.type)
        let width = shown.map { Printable.width(of: $0) }.max() ?? 0
        names = shown.map { $0 + String(repeating: " ", count: width - Printable.width(of: $0)) }
    }

    mutating func add(_ rows: DataRows, _ indices: [Int]?) {
        for index in indices ?? Array(rows.indices) {
            count += 1
            text.write(line: "-- row \(count)")
            for (column, value) in rows[index].enumerated() {
                text.write(line: "\(names[column])  \(text(value, types[column]))")
            }
        }
    }

    func finish() {}

    private func text(_ value: DataValue, _ type: DataType) -> String {
        switch value {
        case .null: "\(Printable(self.text.nullText ?? "NULL"))"
        case .bytes(let bytes): "\(Counted(bytes.readableBytes, "byte"))"
        default: "\(Printable(value.text(as: type) ?? ""))"
        }
    }
}
