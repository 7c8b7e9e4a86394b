// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import TestSupport
import Testing

@testable import relctl

@Suite("The table of errors")
struct ErrorTableTests {
    /// The rows of docs/local-api.md: the name, the HTTP status and the exit status.
    private static func rows() -> [[Substring]] {
        let document = TextFile.text(of: Sources.root + "/docs/local-api.md")
        return document.split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /\| `(\w+\.\w+)` \|.*\| (\d+) \| (\d+) \|/).map { [$0.1, $0.2, $0.3] }
        }
    }

    @Test("docs/local-api.md has each error once, with its statuses")
    func statuses() {
        let rows = Self.rows()
        let codes = DaemonError.Code.allCases
        #expect(rows.map { "org.relativityd.\($0[0])" }.sorted() == codes.map(\.rawValue).sorted())
        for code in codes {
            let row = rows.first { code.rawValue == "org.relativityd.\($0[0])" }
            #expect(row?[1] == "\(code.row.httpStatus)", "\(code.rawValue)")
            #expect(row?[2] == "\(ExitStatus(code).rawValue)", "\(code.rawValue)")
        }
    }
}
