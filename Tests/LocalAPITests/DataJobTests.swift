// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Testing

@Suite("Jobs for the helper for data")
struct DataJobTests {
    @Test("a number out of its range is refused, and the error names the member")
    func errors() {
        let changes: [(String, (inout DataJob) -> Void)] = [
            ("timeoutSeconds", { $0.timeoutSeconds = 0 }), ("everySeconds", { $0.everySeconds = 86_401 }),
            ("rows.limit", { $0.rows.limit = -1 }), ("rows.maxRead", { $0.rows.maxRead = -1 }),
            ("rows.maxTemp", { $0.rows.maxTemp = -1 }), ("output.pageRows", { $0.output.pageRows = 0 }),
            ("output.columns", { $0.output.columns = 0 }), ("edit.mostRows", { $0.edit.mostRows = 0 }),
        ]
        for (member, change) in changes {
            var job = DataJob(.list)
            change(&job)
            #expect { try DataJob(parsing: job.text) } throws: { ($0 as? JSONShapeError)?.path == member }
        }
        #expect { try DataJob(parsing: Array("{}".utf8)) } throws: { ($0 as? JSONShapeError)?.path == "verb" }
    }

    @Test("a text beyond the limits is refused")
    func limits() {
        var job = DataJob(.list)
        job.statement = String(repeating: "x", count: DataJob.limits.bytes)
        #expect(throws: JSONSyntaxError.self) { try DataJob(parsing: job.text) }
        job.statement = ""
        job.rows.fields = Array(repeating: "", count: DataJob.limits.values)
        #expect(throws: JSONSyntaxError.self) { try DataJob(parsing: job.text) }
    }
}
