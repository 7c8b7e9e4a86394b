// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Testing

@Suite("Formats that names of files show")
struct NamedFormatTests {
    @Test(
        "the extension decides, in any case of letters",
        arguments: [
            ("a.csv", .rows(.csv)), ("/d.x/B.TSV", .rows(.tsv)), ("a.b.Json", .rows(.json)), ("x.jsonl", .rows(.jsonl)),
            ("x.ndjson", .rows(.jsonl)), ("x.bin2", .rows(.bin2)), ("x.Arrow", .rows(.arrowFile)),
            ("x.arrows", .rows(.arrow)), ("x.txt", .plain), ("x", .plain),
            ("d.csv/x", .plain),
            (".csv", .plain), ("x.", .plain), ("", .plain), ("/dev/stdout", .plain), ("/dev/fd/63", .plain),
            ("x.DB", .database), ("x.sqlite", .database), ("x.sqlite3", .database), ("x.xlsx", .other(".xlsx")),
            ("x.csv.gz", .other(".gz")), ("x.Parquet", .other(".Parquet")),
        ] as [(String, NamedFormat)]
    )
    func formats(path: String, format: NamedFormat) {
        #expect(NamedFormat(of: path) == format)
    }

    @Test("the list for users has each extension")
    func list() {
        for suffix in NamedFormat.extensions.split(separator: ", ") {
            if case .other = NamedFormat(of: "x\(suffix)") { Issue.record("\(suffix)") }
        }
    }
}
