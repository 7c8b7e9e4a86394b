// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Glibc
import NIOCore
import SampleServer
import TestSupport
import Testing

@testable import RandomRuns

@Suite("Imports of files")
struct TableImportTests {
    private func run(
        _ text: String,
        _ adapter: RemoteDataAdapter,
        into table: String = "Deps",
        match: [String] = [],
        isDryRun: Bool = false,
        progress: (Int) -> Void = { _ in }
    ) async throws -> TableImport.Report {
        let folder = TemporaryDirectory()
        folder.write(Array(text.utf8), to: "f")
        let descriptor = open(folder.path(of: "f"), O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var source = try ImportSource(descriptor, ImportFormat(.csv))
        let reader = TableReader(adapter)
        var run = try await TableImport(reader, into: table, match: match, isDryRun: isDryRun)
        return try await run.run(&source, progress: progress)
    }

    /// Imports a file into downloaded rows, without a server.
    private func run(_ text: String, _ changes: inout ChangeSet, match: [String] = []) throws -> TableImport.Report {
        let folder = TemporaryDirectory()
        folder.write(Array(text.utf8), to: "f")
        let descriptor = open(folder.path(of: "f"), O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var source = try ImportSource(descriptor, ImportFormat(.csv))
        return try TableImport.run(&source, into: "deps", match: match, offline: &changes) { _ in }
    }

    private func rows(_ adapter: RemoteDataAdapter) async throws -> [[DataValue]] {
        try await adapter.table(TableRequest("Deps")).rows.map(Array.init)
    }

    /// Lines of every outcome.
    private static let lines = """
        DepId,DepName,DepPhone
        1,Sales,+1 555 0100
        2,Support,555
        7,Seven,
        x,Bad,
        8,,8
        ,Nine,9
        7,Seven again,7

        """

    @Test("rows are inserted or updated by their key, and failures have their lines", arguments: UpdateRule.allCases)
    func byKey(_ rule: UpdateRule) async throws {
        try await withSampleService(schema: "Simple") {
            $0.updates = rule
        } _: { adapter in
            let dry = try await run(Self.lines, adapter, isDryRun: true)
            #expect((dry.inserted, dry.updated, dry.unchanged, dry.failed) == (2, 2, 1, 2))
            #expect(try await rows(adapter).count == 4)
            let report = try await run(Self.lines, adapter)
            #expect((report.inserted, report.updated, report.unchanged, report.failed) == (2, 2, 1, 2))
            #expect(report.failures.map(\.line) == [5, 6] && report.stop == nil)
            let found = try await rows(adapter)
            #expect(found.count == 6 && found[1] == [.integer(2), .text("Support"), .text("555")])
            #expect(found[4] == [.integer(7), .text("Seven again"), .text("7")])
        }
    }

    @Test("an import into downloaded rows has the same outcome, and its changes can be applied")
    func offline() async throws {
        try await withSampleService(schema: "Simple") { _ in
        } _: { adapter in
            let schema = try DataSchema(parsing: try await adapter.schema())
            let table = try await adapter.table(TableRequest("Deps"))
            var changes = try ChangeSet([try EditableTable(table, schema: schema.table("Deps"))])
            let report = try run(Self.lines, &changes)
            #expect((report.inserted, report.updated, report.unchanged, report.failed) == (2, 2, 1, 2))
            #expect(report.failures.map(\.line) == [5, 6] && report.stop == nil)
            let again = try run("DepName,DepPhone\nSupport,555\nNine,10\n", &changes, match: ["DepName"])
            #expect((again.inserted, again.updated, again.unchanged) == (0, 1, 1))
            let before = changes.changedRows
            #expect(throws: TableEditError.self) { try run("DepId,Other\n3,x\n", &changes) }
            let torn = try run("DepId,DepName\n3,Three\n4,a\"b\n", &changes)
            #expect(torn.updated == 1 && torn.stop != nil && changes.changedRows.count == before.count + 1)

            let result = try await TableEditor(TableReader(adapter)).apply(&changes)
            #expect(result.failure == nil && result.rows.allSatisfy { $0.outcome == .accepted })
            let found = try await rows(adapter)
            #expect(found.count == 6 && found[1] == [.integer(2), .text("Support"), .text("555")])
            #expect(found[2][1] == .text("Three") && found[4] == [.integer(7), .text("Seven again"), .text("7")])
            #expect(found[5].dropFirst() == [.text("Nine"), .text("10")])
        }
    }

    @Test("a row that the server refuses does not take others with it", arguments: UpdateRule.allCases)
    func refused(_ rule: UpdateRule) async throws {
        try await withSampleService(schema: "Simple") {
            $0.updates = rule
        } _: { adapter in
            // No row is matched, so that the server has to refuse the keys.
            let lines = (10..<30).map { "\($0 == 15 || $0 == 22 ? 1 : $0),n\($0)\n" }
            let report = try await run("DepId,DepName\n" + lines.joined(), adapter, match: ["DepName"])
            #expect(report.inserted == 18 && report.failures.map(\.line) == [7, 14] && report.stop == nil)
            #expect(try await rows(adapter).count == 22)
        }
    }

    @Test("a new row with a negative key is refused, whether or not the table has others of the file")
    func temporaryKeys() async throws {
        try await withSampleService(schema: "Simple") { adapter in
            for (known, line) in [("", 2), ("1,One\n", 3)] {
                let text = "DepId,DepName\n\(known)-5,Minus\n,Next\n"
                let report = try await run(text, adapter)
                #expect(report.inserted == 1 && report.updated == line - 2)
                let error = TableEditError.temporaryKey(table: "Deps", field: "DepId")
                #expect(report.failures.map(\.line) == [line] && report.failures[0].reason == .edit(error))
            }
            #expect(try await rows(adapter).count == 6)
        }
    }

    @Test("a text of --match is equal if the server regards it as equal", arguments: [false, true])
    func matchIgnoringCase(isSame: Bool) async throws {
        try await withSampleService(.relativity, isSame ? .nocase : .binary, schema: "Simple") { adapter in
            let report = try await run("DepName,DepPhone\nsALES,1\nSupport,2\n", adapter, match: ["DepName"])
            #expect(report.updated == (isSame ? 2 : 1) && report.inserted == (isSame ? 0 : 1) && report.failed == 0)
            let found = try await rows(adapter)
            #expect(found.count == (isSame ? 4 : 5) && found[0][1] == .text("Sales"))
            #expect(found[0][2] == .text(isSame ? "1" : "+1 555 0100") && found[1][2] == .text("2"))
        }
    }

    @Test("rows are found by other fields, of which several rows may have the same values")
    func match() async throws {
        try await withSampleService(schema: "Simple") { adapter in
            let text = "Role,Type\nManager,7\nDeveloper,8\nNobody,9\n"
            let report = try await run(text, adapter, into: "Users", match: ["role"])
            let several = report.failures.first { $0.line == 3 }
            #expect(several != nil && report.failed >= 2)
            let unknown = report.failures.first { $0.line == 4 }?.reason
            #expect(unknown == .edit(.refused(table: "Users", .required(field: "Name"))))
        }
    }

    @Test("an empty table gets 5,100 rows in parts, and a key that comes again is an update")
    func parts() async throws {
        try await withSampleService(schema: "Simple") { adapter in
            var set = try ChangeSet([])
            let editor = TableEditor(TableReader(adapter))
            let all = EditedRows.matching(try Expression(predicate: "DepId > 0"))
            _ = try await editor.edit(TableEdit("Deps", .delete(all)), in: &set)
            #expect(try await editor.apply(&set).isComplete)
            let lines = (1...5_100).map { "\($0),n\($0)\n" }
            let report = try await run("DepId,DepName\n" + lines.joined() + "3,again\n", adapter)
            #expect(report.inserted == 5_100 && report.updated == 1 && report.failed == 0)
            #expect(try await rows(adapter)[2][1] == .text("again"))
        }
    }

    // Three parts, twice: a part in preparation while another one has failed needs that many rows.
    @Test("parts after one whose outcome is unknown are not sent")
    func unknownOutcome() async throws {
        let folder = TemporaryDirectory()
        let address = try SocketAddress(unixDomainSocketPath: folder.path(of: "server"))
        var made: FaultyWire?
        try await withSampleService(schema: "Simple") {
            made = try? FaultyWire(path: $0.addresses[0].pathname ?? "", server: folder.path(of: "server"))
            $0.addresses = [address]
        } _: { adapter in
            let wire = try #require(made)
            defer { wire.stop() }
            let text = "DepName\n" + (2...10_003).map { "n\($0)\n" }.joined()
            wire.arm(nil) {}
            #expect(try await run(text, adapter).inserted == 10_002)
            let starts = await wire.disarm().starts
            let second = try #require(starts.dropLast().last)
            wire.arm(WireFault(kind: .cut, direction: .request, position: second + 10_000)) {}
            var progress: [Int] = []
            let report = try await run(text, adapter) { progress.append($0) }
            #expect(await wire.disarm().starts == starts.dropLast())
            #expect(report.inserted == 5_000 && report.failed == 5_000 && progress == [5_000, 10_000])
            let first = try #require(report.failures.first)
            #expect(first.line == 5_002 && first.reason == .unknown)
            guard case .apply(.unknownOutcome, line: 5_002) = report.stop else { throw Unexpected() }
            #expect(try await rows(adapter).count == 4 + 10_002 + 5_000)
        }
    }

    @Test("a heading with an unknown field, or one twice in another case, is refused before anything is sent")
    func heading() async throws {
        try await withSampleService(schema: "Simple") { adapter in
            let unknown = UnknownName("Nope", among: ["DepId", "DepName", "DepPhone"])
            await #expect(throws: TableEditError.refused(table: "Deps", .unknownField(unknown))) {
                _ = try await run("DepName,Nope\nx,y\n", adapter)
            }
            await #expect(throws: TableEditError.repeatedField(table: "Deps", field: "DepName")) {
                _ = try await run("DepName,depname\na,b\n", adapter)
            }
            let found = try await rows(adapter)
            #expect(found.count == 4)
        }
    }

    @Test("a part has few rows if they are long")
    func longRows() async throws {
        try await withSampleService(schema: "Simple") { adapter in
            let phone = String(repeating: "5", count: 1_200_000)
            var parts: [Int] = []
            let lines = (10..<15).map { "\($0),n,\(phone)\n" }
            _ = try await run("DepId,DepName,DepPhone\n" + lines.joined(), adapter, isDryRun: true) { parts.append($0) }
            #expect(parts == [2, 4, 5])
        }
    }

    @Test("the rows before damage in the file are imported")
    func damaged() async throws {
        try await withSampleService(schema: "Simple") { adapter in
            let report = try await run("DepName\nx\ny\"\n", adapter)
            #expect(report.inserted == 1)
            guard case .source(.badQuotes(line: 3)) = report.stop else { throw Unexpected() }
        }
    }
}

private struct Unexpected: Error {}
