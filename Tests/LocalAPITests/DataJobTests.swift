// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Testing

@Suite("Jobs for the helper for data")
struct DataJobTests {
    private static let adapter = JobAdapter(
        socket: "/run/a",
        service: "DataService",
        name: "office",
        identity: "i",
        login: "jane",
        isReadOnly: true,
        codePage: "cp437",
        usualService: "DataService"
    )

    /// A job in which every member differs from its default.
    private static var full: DataJob {
        var job = DataJob(.sql, [adapter, JobAdapter(socket: "/run/b", service: "S", name: "shop")])
        job.tables = ["Clients"]
        job.sources = [JobSource(alias: "c", adapter: 1, table: "Clients")]
        (job.name, job.statement, job.codePage) = ("n", "select 1", "cp")
        job.rodl = "<Library/>"
        job.keys = ["Id"]
        (job.timeoutSeconds, job.isProbing, job.everySeconds, job.showsAll) = (5, true, 5, true)
        job.rows.predicate = "a = 1"
        job.rows.whereXML = "<where/>"
        job.rows.fields = ["a"]
        job.rows.order = ["a", "-b"]
        (job.rows.lookups, job.rows.calculated, job.rows.references) = (["l"], ["c"], ["r"])
        job.rows.views = "v"
        (job.rows.limit, job.rows.after, job.rows.maxRead, job.rows.maxTemp) = (0, "9", 0, 0)
        job.rows.parameters = [JobParameter("p", "1"), JobParameter("q", "2", type: "integer")]
        (job.rows.trustsServer, job.rows.isServerOnly, job.rows.isLocal, job.rows.isExplained) =
            (true, true, true, true)
        (job.output.format, job.output.nullText, job.output.columns) = (.document, "", 80)
        (job.output.numbersAreText, job.output.isColoured, job.output.isTerminal) = (true, true, true)
        (job.output.isExpanded, job.output.showsProgress) = (true, true)
        (job.output.isQuiet, job.output.isResumed, job.output.isVerbose) = (true, true, true)
        (job.output.path, job.output.blobDirectory, job.output.pageRows) = ("/f", "/d", 10)
        job.output.sinceField = "changed"
        job.edit.kind = .update
        (job.edit.key, job.edit.mostRows, job.edit.pendingPath) = ("1", 2, "/p")
        job.edit.values = [JobValue("a", text: "1"), JobValue("b"), JobValue("c", base64: "AA==")]
        job.edit.expected = [JobValue("a", text: "0")]
        (job.edit.isDryRun, job.edit.isForced, job.edit.isRetried) = (true, true, true)
        (job.edit.references, job.edit.numbers) = (["D.F=M.F"], [1])
        (job.input.name, job.input.descriptor, job.input.format) = ("/i", 10, .tsv)
        (job.input.nullText, job.input.delimiter, job.input.hasDecimalComma) = ("NULL", 59, true)
        job.input.zone = "drop"
        (job.briefcase.action, job.briefcase.path, job.briefcase.version) = (.save, "/b", "2")
        (job.briefcase.isFolder, job.briefcase.isForced, job.briefcase.isApplied) = (true, true, true)
        job.briefcase.properties = [JobParameter("p", "1")]
        job.briefcase.isKept = true
        (job.browse.keysDescriptor, job.browse.isReadOnly) = (3, true)
        (job.browse.hasServerList, job.browse.colors) = (true, ["a = 1=red"])
        job.kept.endpoint = "shop"
        (job.kept.service, job.kept.schema) = ("DataService", "Simple")
        (job.kept.use, job.kept.failure) = (.fallback, "away")
        (job.client.endpoint, job.client.login, job.client.isAnonymous) = ("e", "l", true)
        (job.client.schema, job.client.service, job.client.package) = ("s", "S", "/p")
        return job
    }

    @Test("a job with every member set survives its text, and every member differs from its default")
    func roundTrip() throws {
        #expect(try DataJob(parsing: Self.full.text) == Self.full)
        func shared(_ left: JSONObject, _ right: JSONObject, _ path: String) -> [String] {
            left.flatMap { key, value -> [String] in
                if let inner = value.objectValue, let other = right[key]?.objectValue {
                    return shared(inner, other, "\(path)\(key).")
                }
                return right[key] == value ? [path + key] : []
            }
        }
        #expect(shared(Self.full.json, DataJob(.list).json, "") == [])
    }

    @Test("a number out of its range is refused, and the error names the member")
    func errors() {
        let changes: [(String, (inout DataJob) -> Void)] = [
            ("timeoutSeconds", { $0.timeoutSeconds = 0 }), ("everySeconds", { $0.everySeconds = 86_401 }),
            ("rows.limit", { $0.rows.limit = -1 }), ("rows.maxRead", { $0.rows.maxRead = -1 }),
            ("rows.maxTemp", { $0.rows.maxTemp = -1 }), ("output.pageRows", { $0.output.pageRows = 0 }),
            ("output.columns", { $0.output.columns = 0 }), ("edit.mostRows", { $0.edit.mostRows = 0 }),
        ]
        for (member, change) in changes {
            var job = Self.full
            change(&job)
            #expect { try DataJob(parsing: job.text) } throws: { ($0 as? JSONShapeError)?.path == member }
        }
        #expect { try DataJob(parsing: Array("{}".utf8)) } throws: { ($0 as? JSONShapeError)?.path == "verb" }
    }

    @Test("a text beyond the limits is refused")
    func limits() {
        var job = Self.full
        job.statement = String(repeating: "x", count: DataJob.limits.bytes)
        #expect(throws: JSONSyntaxError.self) { try DataJob(parsing: job.text) }
        job.statement = ""
        job.rows.fields = Array(repeating: "", count: DataJob.limits.values)
        #expect(throws: JSONSyntaxError.self) { try DataJob(parsing: job.text) }
    }
}
