// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import NIOCore

/// Terminal rules of a test: control characters and non-ASCII letters other than `é` and `中` are escaped.
extension TerminalRules {
    static func test(width: Int? = nil, isColoured: Bool = false) -> TerminalRules {
        TerminalRules(
            width: width,
            isColoured: isColoured,
            escape: { text, limit in
                var (shown, used) = ("", 0)
                for scalar in text.unicodeScalars {
                    let isSafe = (0x20..<0x7F).contains(scalar.value) || scalar == "é" || scalar == "中"
                    let piece = isSafe && scalar != "\\" ? "\(scalar)" : "\\u{\(String(scalar.value, radix: 16))}"
                    shown += piece
                    used += columns(piece)
                }
                guard used > limit else { return shown }
                while columns(shown) >= limit { shown.unicodeScalars.removeLast() }
                return shown + "…"
            },
            columns: columns
        )
    }

    @Sendable
    private static func columns(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + ($1 == "中" ? 2 : 1) } }
}

extension DataTable {
    /// A table of one column.
    static func column(_ name: String, _ type: DataType, _ values: [DataValue]) throws -> DataTable {
        try table([(name, type)], values.map { [$0] })
    }

    static func table(_ columns: [(String, DataType)], _ rows: [[DataValue]]) throws -> DataTable {
        var table = try DataTable(name: "T", columns: columns.map { DataColumn($0.0, $0.1) })
        for row in rows { try table.append(row) }
        return table
    }
}

/// Returns the output of a consumer for one table in one batch.
func output(
    of table: DataTable,
    _ indices: [Int]? = nil,
    _ options: FormatOptions = FormatOptions(),
    _ make: (OutputSink, FormatOptions) -> any RowConsumer
) async throws -> String {
    let sink = OutputSink()
    var writer = make(sink, options)
    try await writer.begin(table.head)
    try await writer.add(table.rows, indices)
    try await writer.finish()
    return String(decoding: sink.takeBytes(), as: UTF8.self)
}
