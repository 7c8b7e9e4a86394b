// SPDX-License-Identifier: Apache-2.0

import DataJobs
import JSON
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
        (job.name, job.statement, job.codePage, job.cachePath) = ("n", "select 1", "cp", "/c")
        job.rodl = "<Library/>"
        job.keys = ["Id"]
        (job.timeoutSeconds, job.isProbing, job.everySeconds, job.showsAll) = (5, true, 5, true)
        job.rows.predicate = "a = 1"
        job.rows.whereXML = "<where/>"
        job.rows.fields = ["a"]
        job.rows.order = [JobOrder("a"), JobOrder("b", isDescending: true)]
        (job.rows.lookups, job.rows.calculated, job.rows.references) = (["l"], ["c"], ["r"])
        job.rows.views = "v"
        (job.rows.limit, job.rows.after, job.rows.maxRead, job.rows.maxTemp) = (0, "9", 0, 0)
        job.rows.parameters = [JobParameter("p", "1"), JobParameter("q", "2", type: "integer")]
        (job.rows.trustsServer, job.rows.isServerOnly, job.rows.isLocal, job.rows.isExplained) =
            (true, true, true, true)
        (job.output.format, job.output.nullText, job.output.columns) = (.document, "", 80)
        (job.output.numbersAreText, job.output.isColoured, job.output.isTerminal) = (true, true, true)
        (job.output.isUnicode, job.output.isExpanded, job.output.showsProgress) = (true, true, true)
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
        (job.kept.directory, job.kept.endpoint) = ("/k", "shop")
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
        #expect(shared(Self.full.json, DataJob().json, "") == [])
    }

    @Test("members that are absent have their defaults")
    func defaults() throws {
        let text = #"{"verb":"list","adapters":[{"socket":"/run/a","service":"DataService","name":"office"}]}"#
        let adapter = JobAdapter(socket: "/run/a", service: "DataService", name: "office")
        #expect(try DataJob(parsing: Array(text.utf8)) == DataJob(.list, [adapter]))
    }

    private static let minimal = #""adapters":[{"socket":"/a","service":"S","name":"n"}]"#

    @Test(
        "an error names the member",
        arguments: [
            ("{}", "verb"), (#"{"verb":"drop"}"#, "verb"), (#"{"verb":"list"}"#, "adapters"),
            (#"{"verb":"list","adapters":[]}"#, "adapters"),
            (#"{"verb":"list","adapters":[{"socket":"/a","name":"n"}]}"#, "adapters[0].service"),
            (#"{"verb":"get",\#(minimal)}"#, "tables"), (#"{"verb":"get","tables":["a","b"],\#(minimal)}"#, "tables"),
            (#"{"verb":"watch",\#(minimal)}"#, "tables"),
            (#"{"verb":"watch","tables":["a"],"everySeconds":0,\#(minimal)}"#, "everySeconds"),
            (#"{"verb":"count",\#(minimal)}"#, "tables"), (#"{"verb":"sql",\#(minimal)}"#, "statement"),
            (#"{"verb":"call",\#(minimal)}"#, "name"), (#"{"verb":"diff",\#(minimal)}"#, "adapters"),
            (#"{"verb":"export","tables":["a"],\#(minimal)}"#, "output.path"),
            (#"{"verb":"edit","tables":["a"],"edit":{"kind":"update"},\#(minimal)}"#, "edit.key"),
            (#"{"verb":"edit","tables":["a"],"edit":{"mostRows":0},\#(minimal)}"#, "edit.mostRows"),
            (#"{"verb":"importRows","tables":["a"],\#(minimal)}"#, "input.descriptor"),
            (
                #"{"verb":"importRows","tables":["a"],"input":{"descriptor":3,"delimiter":128},\#(minimal)}"#,
                "input.delimiter"
            ),
            (#"{"verb":"apply",\#(minimal)}"#, "edit.pendingPath"),
            (#"{"verb":"pendingList","adapters":[]}"#, "edit.pendingPath"),
            (#"{"verb":"briefcase","adapters":[]}"#, "briefcase.path"),
            (#"{"verb":"briefcase","adapters":[],"briefcase":{"action":"save","path":"b"}}"#, "adapters"),
            (#"{"verb":"briefcase","adapters":[],"briefcase":{"action":"load","path":"b"}}"#, "tables"),
            (#"{"verb":"briefcase","adapters":[],"briefcase":{"action":"listKept"}}"#, "kept.directory"),
            (#"{"verb":"briefcase","briefcase":{"action":"keep"},"kept":{"directory":"/k"},\#(minimal)}"#, "tables"),
            (#"{"verb":"get","adapters":[],"tables":["a"],"kept":{"use":"always"}}"#, "kept.directory"),
            (#"{"verb":"get","adapters":[],"tables":["a"],"kept":{"use":"fallback","directory":"/k"}}"#, "adapters"),
            (#"{"verb":"sql","adapters":[],"statement":"s","kept":{"use":"always","directory":"/k"}}"#, "adapters"),
            (#"{"verb":"list","timeoutSeconds":0,\#(minimal)}"#, "timeoutSeconds"),
            (#"{"verb":"list","rows":{"limit":-1},\#(minimal)}"#, "rows.limit"),
            (#"{"verb":"list","rows":{"order":[{}]},\#(minimal)}"#, "rows.order[0].field"),
            (#"{"verb":"list","output":{"format":"xml"},\#(minimal)}"#, "output.format"),
            (#"{"verb":"list","sources":[{"alias":"a","adapter":1,"table":"t"}],\#(minimal)}"#, "sources"),
        ]
    )
    func errors(_ text: String, _ member: String) {
        #expect { try DataJob(parsing: Array(text.utf8)) } throws: { ($0 as? JSONShapeError)?.path == member }
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
