// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TestSupport
import Testing

@testable import DataAbstract

@Suite("Code pages") struct CodePageTests {
    static let pages = CodePage.known.compactMap(CodePage.page)
    /// A page without a character for the byte 0x81.
    static let windows = CodePage.named("windows-1252")

    /// A row for each byte, and an 8-bit text with it.
    static func table(_ page: CodePage?) throws -> DataTable {
        let columns = [DataColumn("Id", .integer), DataColumn("S", .string), DataColumn("W", .wideString)]
        let schema = try TableSchema(fields: [
            SchemaEntry(field: "Id", .integer, isInPrimaryKey: true), SchemaEntry(field: "S", .string),
            SchemaEntry(field: "W", .wideString),
        ])
        var table = try DataTable(name: "T", columns: columns, schema: schema)
        for byte in 0..<256 {
            let text = "a\(Unicode.Scalar(UInt8(byte)))\""
            try table.append([.integer(Int64(byte)), .text(text), .text(text)])
        }
        return table.reading(in: page)
    }

    @Test(
        "each byte with a character is read as it and written as the same byte; others stay what they are",
        arguments: pages
    )
    func everyByte(page: CodePage) throws {
        let table = try Self.table(page)
        var copy = try DataTable(name: "T", columns: table.columns, schema: table.schema)
        for row in table.rows {
            try copy.append(Array(row))
            switch row[1] {
            case .text(let text):
                #expect(
                    try page.bytes(text) == Array(#require(row.bytes(1)).readableBytesView),
                    "\(page.name) \(row[0])"
                )
                #expect(!text.unicodeScalars.contains("\u{FFFD}"))
            case .unreadable(let text):
                #expect(text.bytes[1] == text.byte && text.text == "a\u{FFFD}\"" && text.codePage == page)
                #expect(row[0] == .integer(Int64(text.byte)))
            default: Issue.record("no text")
            }
        }
        #expect(try TableStream([copy]).encoded() == TableStream([table]).encoded(), "\(page.name)")
        // A page of one byte for each character has no character twice.
        #expect(page == .utf8 || Set(table.rows.map { $0[1] }).count == 256)
        #expect(table.rows.map { $0[2] } == (try Self.table(nil)).rows.map { $0[2] })
    }

    @Test("a page has its usual names, and only these")
    func names() {
        for page in Self.pages { #expect(CodePage.named(page.name) == page, "\(page.name)") }
        let names = ["CP437", "437", "ibm437", "latin1", "iso8859-1", "ISO-8859-15", "utf-8", "UTF-8", "Windows-1252"]
        let numbers = [437, 437, 437, 28_591, 28_591, 28_605, 65_001, 65_001, 1252]
        #expect(names.map { CodePage.named($0)?.number } == numbers)
        for name in ["", "utf-16", "latin2", "iso-8859-17", "cp932", "cp", "437x", "cp٤٣٧"] {
            #expect(CodePage.named(name) == nil, "\(name)")
        }
    }

    @Test("a character that the page does not have is an error that names both")
    func unmappable() throws {
        let page = try #require(CodePage.named("cp437"))
        for text in ["漢", "a€", "\u{FFFD}", "\u{1F600}"] {
            #expect(throws: UnmappableCharacter.self) { try page.bytes(text) }
        }
        do {
            _ = try page.bytes("a€")
        } catch {
            #expect("\(error)" == "cp437 has no character \"€\" (U+20AC)")
        }
        #expect(try CodePage.utf8.bytes("a€漢") == Array("a€漢".utf8))
    }

    @Test(
        "invalid UTF-8 is not read as a text",
        arguments: [([0x61, 0xC3], 0xC3), ([0xC3, 0xA9, 0x80], 0x80)] as [([UInt8], UInt8)]
    )
    func invalidUTF8(bytes: [UInt8], wrong: UInt8) {
        guard case .unreadable(let text) = bytes.withUnsafeBytes({ CodePage.utf8.value($0) }) else {
            Issue.record("a text")
            return
        }
        #expect(text.byte == wrong && text.bytes == bytes && text.text.unicodeScalars.last == "\u{FFFD}")
    }

    // MARK: Conditions

    @Test("a condition with a text selects the rows with its byte", arguments: pages)
    func conditions(page: CodePage) throws {
        let table = try Self.table(page)
        let readable = table.rows.indices.filter { if case .text = table.rows[$0][1] { true } else { false } }
        let rows = table.rows.selecting([0, 1, 2], readable)
        for row in rows {
            guard case .text(let text) = row[1], case .integer(let id) = row[0], id >= 0x80 else { continue }
            for test in ["==", "BEGINSWITH", "CONTAINS"] {
                let predicate = Expression.comparison(
                    "S",
                    PredicateOperator(rawValue: test) ?? .like,
                    .value(.text(text))
                )
                let compiled = try CompiledPredicate(predicate, fields: table.columns)
                let found = try compiled.indices(in: rows).map { rows[$0][0] }
                #expect(found == [.integer(id)], "\(page.name) \(predicate)")
                #expect(try compiled.matches(Array(row)))
            }
        }
    }

    @Test("case is folded in the characters of the page")
    func folding() throws {
        let table = try Self.table(CodePage.named("cp437"))
        // 0x94 is a small o with a diaeresis, 0x99 the capital letter.
        let predicate = try Expression(predicate: "S ==[c] 'AÖ\"'")
        let compiled = try CompiledPredicate(predicate, fields: table.columns)
        #expect(try compiled.indices(in: table.rows) == [0x94, 0x99])
        let diacritics = try CompiledPredicate(
            Expression(predicate: "S ==[cd] 'ao\"'"),
            fields: table.columns
        )
        #expect(try diacritics.indices(in: table.rows).contains(0x94))
    }

    @Test("a condition on a cell that cannot be read is an error, unless it does not look at the text")
    func unreadableCondition() throws {
        let table = try Self.table(Self.windows)
        let fields = table.columns
        for text in ["S == 'x'", "S != 'x'", "S LIKE 'a*'", "S > 'a'", "S == W", "W == S", "S IN {'x', 'y'}"] {
            let compiled = try CompiledPredicate(Expression(predicate: text), fields: fields)
            do {
                _ = try compiled.indices(in: table.rows)
                Issue.record("no error of \(text)")
            } catch {
                guard case .unreadable(let cell) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(cell.row == .number(0x82) && cell.byte == 0x81 && cell.codePage == "windows-1252", "\(text)")
            }
            #expect(throws: PredicateError.self) { try compiled.matches(Array(table.rows[0x81])) }
        }
        for text in ["S IS NULL", "Id == 1 AND S == 'x'", "W == 'x'"] {
            let compiled = try CompiledPredicate(Expression(predicate: text), fields: fields)
            #expect(try compiled.indices(in: table.rows).isEmpty, "\(text)")
        }
    }

    @Test("a literal that no row can have is an error; without a chosen page it selects nothing")
    func unmappableCondition() throws {
        let predicate = try Expression(predicate: "S == '漢'")
        let chosen = try Self.table(Self.windows).columns
        #expect(throws: PredicateError.self) { try CompiledPredicate(predicate, fields: chosen) }
        for page in [nil, CodePage.assumed()] {
            let table = try Self.table(page)
            let compiled = try CompiledPredicate(predicate, fields: table.columns)
            #expect(try compiled.indices(in: table.rows).isEmpty)
        }
    }

    @Test("text beyond ASCII for an 8-bit field with a chosen page is evaluated here, also for a trusted server")
    func plans() throws {
        let fields = try Self.table(Self.windows).columns
        for capabilities: WhereCapabilities in [.where, [.where, .trusted]] {
            for text in ["S == 'é'", "S IN {'a', 'é'}", "S BEGINSWITH 'é'"] {
                let predicate = try Expression(predicate: text)
                let plan = try PredicatePlan(predicate, fields: fields, capabilities: capabilities)
                #expect(plan.sent == nil && plan.residual == predicate, "\(text)")
                #expect(plan.unsent.map(\.reason) == [.codePage], "\(text)")
            }
            let ascii = try PredicatePlan(Expression(predicate: "S == 'e'"), fields: fields, capabilities: capabilities)
            #expect(ascii.sent != nil)
        }
        let trusted: WhereCapabilities = [.where, .trusted]
        let wide = try PredicatePlan(Expression(predicate: "W == 'é'"), fields: fields, capabilities: trusted)
        #expect(wide.sent != nil && wide.residual == nil)
        let guess = try Self.table(.assumed()).columns
        let sent = try PredicatePlan(Expression(predicate: "S == 'é'"), fields: guess, capabilities: trusted)
        #expect(sent.sent != nil && sent.residual == nil)
    }

    // MARK: Edits

    @Test("an edit is encoded in the page; a cell that cannot be read stays as it is and is refused a new text")
    func edits() throws {
        let source = try Self.table(Self.windows)
        var table = try EditableTable(source)
        let key = { (byte: Int64) in try #require(table.find(key: [.integer(byte)])) }
        let (plain, broken) = (try key(0x41), try key(0x81))
        try table.set("S", of: plain, to: .text("5 €"))
        #expect(throws: EditError.self) { try table.set("S", of: plain, to: .text("漢")) }
        do throws(EditError) {
            try table.set("S", of: broken, to: .text("x"))
            Issue.record("no error")
        } catch {
            let text = "row Id=129, field \"S\": windows-1252 has no character for the byte 0x81"
            #expect("\(error)" == text, "\(error)")
        }
        try table.set("W", of: broken, to: .text("漢"))
        let delta = try #require(try table.delta())
        #expect(delta.changes.count == 2)
        let texts = delta.changes.map { change in change.new.bytes(1).map { Array($0.readableBytesView) } }
        #expect(texts == [Array("5 ".utf8) + [0x80], Array("a".utf8) + [0x81] + Array("\"".utf8)])
        #expect(delta.changes.map { $0.old.bytes(1) } == [source.rows[0x41].bytes(1), source.rows[0x81].bytes(1)])
    }

    @Test("a pending file has the bytes and the page, and a known page replaces it")
    func pendingFile() throws {
        var set = try ChangeSet([EditableTable(Self.table(Self.windows))])
        let row = try #require(set.table("T")?.find(key: [.integer(0x41)]))
        try set.edit("T") { table throws(EditError) in try table.set("S", of: row, to: .text("€")) }
        var journal = PendingJournal()
        let file = try journal.snapshot(of: &set)
        for (page, text) in [(nil, "€"), (CodePage.named("cp437"), "Ç"), (.latin1, "\u{80}")] {
            var reader = PendingJournal(codePage: page)
            let read = try reader.read(file).set
            let id = try #require(read.changedRows.first)
            #expect(try read.table("T")?.row(id.row)?.value("S") == .text(text))
            #expect(try read.deltas().encoded() == set.deltas().encoded())
        }
    }

    @Test("a briefcase is read in the page of its properties", arguments: [nil, "cp437", "nothing"])
    func briefcase(name: String?) throws {
        var briefcase = Briefcase()
        briefcase.put(try Self.table(nil))
        briefcase.properties[Briefcase.codePageKey] = name
        let bytes = try briefcase.encoded()
        let text = name == "cp437" ? "aö\"" : "a\u{94}\""
        #expect(try Briefcase(decoding: bytes).table("T")?.rows[0x94][1] == .text(text))
        let other = try Briefcase(decoding: bytes) { _ in CodePage.named("windows-1252") }
        #expect(other.table("T")?.rows[0x94][1] == .text("a\u{201D}\""))
        #expect(try other.encoded() == bytes)
    }

    // MARK: Views

    @Test("a view filters and sorts by the characters, and keeps its rows if a cell cannot be read")
    func view() throws {
        let all = try Self.table(CodePage.named("cp437"))
        var view = TableViewModel(try EditableTable(all))
        try view.filter(by: Expression(predicate: "S == 'aö\"'"))
        #expect(view.count == 1)
        try view.filter(by: nil)
        try view.sort(by: [FieldOrder("S")])
        let scalars = try view.rows(in: 0..<256).compactMap { row -> UInt32? in
            guard case .text(let text) = try row.value("S") else { return nil }
            return text.unicodeScalars.dropFirst().first?.value
        }
        #expect(scalars == scalars.sorted() && scalars.count == 256)
        var broken = TableViewModel(try EditableTable(Self.table(Self.windows)))
        #expect(throws: PredicateError.self) { try broken.filter(by: Expression(predicate: "S == 'x'")) }
        #expect(broken.count == 256 && broken.predicate == nil)
    }

    @Test("a calculated field has the shown text of a cell that cannot be read, and a lookup field the cell")
    func calculated() throws {
        let table = try Self.table(Self.windows)
        var view = TableView("T")
        view.calculated = [CalculatedField("C", try Expression(parsing: "S + '!'"))]
        let computed = try CalculatedTable(view, columns: table.columns)
        #expect(try computed.extraValues(Array(table.rows[0x81])) == [.text("a\u{FFFD}\"!")])
        #expect(try computed.extraValues(Array(table.rows[0x80])) == [.text("a€\"!")])
    }
}
