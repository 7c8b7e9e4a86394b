// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import RandomRuns
import TestSupport
import Testing

@testable import DataAbstract

/// All that a briefcase has, in a form that can be compared.
private struct Content: Equatable {
    let properties: [String: String]
    let tables: [String: ByteBuffer]
    let deltas: ByteBuffer?
    let undecided: [ChangedRow]

    init(_ briefcase: Briefcase) throws {
        properties = briefcase.properties
        tables = try Dictionary(
            uniqueKeysWithValues: briefcase.tables.map { ($0.name, try TableStream([$0]).encoded()) }
        )
        deltas = try briefcase.changes?.deltas().encoded()
        undecided = briefcase.changes?.undecidedRows ?? []
    }
}

@Suite struct BriefcaseTests {
    private static let folder = BriefcaseFile.Form.folder
    private static let file = BriefcaseFile.Form.file

    /// The tables of the model shop.
    private func shop(_ server: ModelServer = ModelShop.server()) throws -> Briefcase {
        var briefcase = Briefcase()
        try briefcase.update(from: try ModelShop.changes(of: server))
        briefcase.version = "1"
        return briefcase
    }

    /// Changes a row, adds one and removes one.
    private func edited(_ briefcase: Briefcase) throws -> ChangeSet {
        var set = try briefcase.changeSet().changes
        try set.edit("Orders") { table throws(EditError) in
            try table.set("Client", of: RowID(1), to: .text("Bär"))
            try table.remove(RowID(0))
            _ = try table.append(["Client": .text("Dan"), "Status": .integer(7)])
        }
        return set
    }

    private func texts(_ table: DataTable?) -> [String] {
        (table?.rows ?? DataRows([])).map { row in row.map { "\($0)" }.joined(separator: " ") }
    }

    @Test("a saved briefcase is loaded as it was", arguments: BriefcaseFile.Form.allCases)
    func roundTrip(_ form: BriefcaseFile.Form) throws {
        let place = TemporaryDirectory()
        let file = try BriefcaseFile(place.path(of: "b"), form: form)
        #expect(try Briefcase.load(file.path)?.version == nil)
        var briefcase = try shop()
        briefcase.properties = ["Version": "1", "<&>\"'": "a\r\n\tü\u{1F600} ]]>", "Empty": "", " s ": "  "]
        #expect(try Briefcase.properties(place.path(of: "absent")) == nil)
        for hasChanges in [false, true, false] {
            if hasChanges { try briefcase.update(from: edited(briefcase)) } else { briefcase.changes = nil }
            try file.save(briefcase)
            let loaded = try #require(try Briefcase.load(file.path))
            #expect(try Briefcase.properties(file.path) == briefcase.properties)
            #expect(try Content(loaded) == Content(briefcase))
            #expect(loaded.tables.allSatisfy { $0.schema != nil })
            let changed = try loaded.changeSet()
            #expect(changed.conflicts.isEmpty)
            #expect(changed.changes.changedRows.count == (hasChanges ? 3 : 0))
            let deltas = try briefcase.changes?.deltas() ?? DeltaStream()
            #expect(try changed.changes.deltas().encoded() == deltas.encoded())
        }
        var facts = stat()
        let files = form == .file ? ["b"] : place.names(in: "b").map { "b/" + $0 }
        for name in files + (form == .file ? ["b.lock"] : []) {
            #expect(stat(place.path(of: name), &facts) == 0 && facts.st_mode & 0o777 == 0o600, "\(name)")
        }
        let expected = ["Changes.pending.lock", "OrderDetails.daBriefcase", "Orders.daBriefcase", "Properties.plist"]
        #expect(form == .file || place.names(in: "b") == expected)
        place.write([], to: form == .file ? "other" : "b/other")
        try file.remove()
        #expect(place.names(in: form == .file ? "." : "b") == ["other"])
    }

    @Test("a folder is recognised by its files, also if they are damaged")
    func damagedFolder() throws {
        let place = TemporaryDirectory()
        let path = place.path(of: "b")
        let file = try BriefcaseFile(path, form: .folder)
        #expect(!BriefcaseFile.isFolder(path) && !BriefcaseFile.isFolder(place.path(of: "none")))
        try file.save(try shop())
        place.write(Array("words".utf8), to: "b/Properties.plist")
        #expect(throws: BriefcaseError.self) { try Briefcase.load(path) }
        #expect(BriefcaseFile.isFolder(path))
        try file.remove()
        #expect(place.names().isEmpty)
    }

    @Test("another version, and none, has to be downloaded again", arguments: BriefcaseFile.Form.allCases)
    func versions(_ form: BriefcaseFile.Form) throws {
        let place = TemporaryDirectory()
        let path = place.path(of: "b")
        if case .absent = try Briefcase.load(path, version: "1") {} else { Issue.record("not absent") }
        let file = try BriefcaseFile(path, form: form)
        for (version, wanted, isLoaded) in [("1", "1", true), ("1", "2", false), (nil, "1", false), (nil, "", false)] {
            var briefcase = try shop()
            briefcase.version = version
            try file.save(briefcase)
            switch try Briefcase.load(path, version: wanted) {
            case .loaded(let loaded): #expect(isLoaded && loaded.tables.count == 2)
            case .outdated(let found): #expect(!isLoaded && found == version)
            case .absent: Issue.record("absent")
            }
        }
    }

    @Test("the vendor's files are loaded: a stream, and a folder with a property list of its tools")
    func vendors() throws {
        let place = TemporaryDirectory()
        let shop = try shop()
        place.write(Array(try TableStream(shop.tables).encoded().readableBytesView), to: "stream.daBriefcase")
        let stream = try #require(try Briefcase.load(place.path(of: "stream.daBriefcase")))
        #expect(stream.tables.map(\.name) == ["Orders", "OrderDetails"] && stream.properties.isEmpty)
        mkdir(place.path(of: "shop.briefcase"), 0o755)
        place.write(
            Array(try TableStream([shop.tables[0]]).encoded().readableBytesView),
            to: "shop.briefcase/a.daBriefcase"
        )
        let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>
              <key>Version</key><integer>3</integer> <key>IsNew</key><true/>
            </dict></plist>
            """
        place.write(Array(list.utf8), to: "shop.briefcase/Properties.plist")
        let folder = try #require(try Briefcase.load(place.path(of: "shop.briefcase")))
        #expect(folder.properties == ["Version": "3", "IsNew": "true"])
        #expect(texts(folder.table("ORDERS")) == texts(shop.tables[0]))
    }

    @Test("an apply leaves the rows of the server and no changes", arguments: BriefcaseFile.Form.allCases)
    func applied(_ form: BriefcaseFile.Form) throws {
        let place = TemporaryDirectory()
        var server = ModelShop.server()
        let file = try BriefcaseFile(place.path(of: "b"), form: form)
        var briefcase = try shop(server)
        try briefcase.update(from: edited(briefcase))
        try file.save(briefcase)
        let before = texts(briefcase.table("Orders"))
        let loaded = try #require(try Briefcase.load(file.path))
        let store = BriefcaseStore(file, loaded)
        var set = try loaded.changeSet().changes
        var effect = try set.beginApply()
        var calls = 0
        while true {
            if case .read(let requests) = effect { effect = try set.rowsRead(requests.map { try server.read($0) }) }
            guard case .send(let deltas) = effect else { break }
            try store.save(&set)
            let sent = try #require(try Briefcase.load(file.path))
            #expect(sent.changes?.undecidedRows.isEmpty == false)
            #expect(texts(sent.table("Orders")) == before)
            effect = try set.replied(server.update(deltas))
            calls += 1
        }
        #expect(calls == 1)
        try store.save(&set)
        let after = try #require(try Briefcase.load(file.path))
        #expect(after.changes == nil)
        #expect(try after.changeSet().changes.hasChanges == false)
        let rows = try #require(after.table("Orders")).rows.map { Array($0) }
        #expect(rows.map { $0[1] } == [.text("Bär"), .text("Cyd"), .text("Dan")])
        #expect(rows.map { $0[0] } == server.tables[0].rows.map { $0[0] })
    }

    @Test("a table that an edit needed and of which no row was read is not added")
    func tableWithoutRows() throws {
        var briefcase = try shop()
        let names = briefcase.tables.map(\.name)
        var set = try briefcase.changeSet().changes
        var fields = [EditableField("Id", .autoInc), EditableField("Name", .wideString)]
        fields[0].isInPrimaryKey = true
        try set.add(EditableTable(name: "Other", fields: fields))
        try set.edit("Other") { table throws(EditError) in _ = try table.append(["Name": .text("x")]) }
        try briefcase.update(from: set)
        #expect(briefcase.tables.map(\.name) == names && briefcase.changes?.changedRows.map(\.table) == ["Other"])
    }

    @Test("changes are merged with rows that were downloaded after them")
    func refreshed() throws {
        var server = ModelShop.server()
        var briefcase = try shop(server)
        briefcase.changes = try edited(briefcase)
        server.tables[0].rows[1][1] = .text("Bob II")
        server.tables[0].rows[2][2] = .integer(9)
        for table in try shop(server).tables { briefcase.put(table) }
        let (set, conflicts) = try briefcase.changeSet()
        #expect(conflicts.map(\.kind) == [.changed])
        #expect(conflicts.first?.fields.map(\.name) == ["Client"])
        #expect(set.changedRows.count == 3)
        briefcase.changes = set
        // The conflict is reported again.
        #expect(try briefcase.changeSet().conflicts.count == 1)
    }

    @Test("a change of unknown outcome that the downloaded rows have is decided; a new row is not")
    func decided() throws {
        var server = ModelShop.server()
        var briefcase = try shop(server)
        var set = try briefcase.changeSet().changes
        try set.edit("Orders") { table throws(EditError) in
            try table.set("Status", of: RowID(0), to: .integer(7))
            try table.remove(RowID(1))
            try table.append(["Client": .text("Dan")])
        }
        var effect = try set.beginApply()
        if case .read(let requests) = effect { effect = try set.rowsRead(requests.map { try server.read($0) }) }
        guard case .send(let deltas) = effect else {
            Issue.record("\(effect)")
            return
        }
        _ = try server.update(deltas)
        _ = try set.stopped(.unknownOutcome("cut"))
        try briefcase.update(from: set)
        #expect(briefcase.changes?.undecidedRows.count == 3)
        for table in try shop(server).tables { briefcase.put(table) }
        set = try briefcase.changeSet().changes
        #expect(set.undecidedRows.count == 1 && set.undecidedRows == set.changedRows)
        set.drop(set.undecidedRows)
        #expect(set.phase == .idle && !set.hasChanges)
    }

    @Test("a table without changes may have other columns after a download, one with changes may not")
    func otherColumns() throws {
        var briefcase = try shop()
        briefcase.changes = try briefcase.changeSet().changes
        try briefcase.changes?.edit("Orders") { table throws(EditError) in
            try table.set("Status", of: RowID(0), to: .integer(7))
        }
        briefcase.put(try DataTable(name: "OrderDetails", columns: [DataColumn("Other", .wideString)]))
        let set = try briefcase.changeSet().changes
        #expect(set.table("OrderDetails")?.fields.map(\.name) == ["Other"] && set.changedRows.count == 1)
        var orders = try DataTable(name: "Orders", columns: [DataColumn("Other", .wideString)])
        try orders.append([.text("x")])
        briefcase.put(orders)
        #expect(throws: EditError.otherColumns) { try briefcase.changeSet() }
    }

    @Test("what cannot be stored or read is refused")
    func refused() throws {
        let place = TemporaryDirectory()
        let shop = try shop()
        func error(_ body: () throws -> Void) -> BriefcaseError? {
            do { try body() } catch { return error as? BriefcaseError }
            return nil
        }
        let file = try BriefcaseFile(place.path(of: "f"))
        let folder = try BriefcaseFile(place.path(of: "d"), form: .folder)
        #expect(error { _ = try BriefcaseFile(file.path) } == .inUse)
        #expect(error { _ = try BriefcaseFile(folder.path) } == .inUse)
        #expect(throws: PendingFileError.inUse) { try PendingFile(folder.path + "/Changes.pending") }
        try file.save(shop)
        try folder.save(shop)
        #expect(error { _ = try BriefcaseFile(file.path, form: .folder) } == .otherForm)
        mkfifo(place.path(of: "fifo"), 0o600)
        #expect(error { _ = try Briefcase.load(place.path(of: "fifo")) } == .otherForm)
        for key in ["", "\u{1}", String(repeating: "k", count: 1_025)] {
            var other = shop
            other.properties[key] = "v"
            #expect(error { try file.save(other) } == .invalidProperty(key))
        }
        for name in ["", Briefcase.ownTable, String(repeating: "t", count: 201)] {
            var other = shop
            other.put(try DataTable(name: name, columns: [DataColumn("A", .integer)]))
            for target in [file, folder] { #expect(error { try target.save(other) } == .invalidTable(name)) }
        }
        #expect(try Content(try #require(try Briefcase.load(folder.path))) == Content(shop))

        place.write(place.content(of: "d/Orders.daBriefcase"), to: "d/Twin.daBriefcase")
        #expect(error { _ = try Briefcase.load(folder.path) } == .duplicateTable("Orders"))
        place.write(Array("DABIN200".utf8), to: "d/Twin.daBriefcase")
        let cut = error { _ = try Briefcase.load(folder.path) }
        if case .tables("Twin.daBriefcase", .malformed) = cut {} else { Issue.record("\(cut as Any)") }
        var changed = shop
        try changed.update(
            from: try ChangeSet([EditableTable(try DataTable(name: "ORDERS", columns: [DataColumn("A", .integer)]))])
        )
        try folder.save(changed, tables: ["orders"])
        #expect(try Briefcase.load(folder.path)?.table("Orders")?.columns.count == 1)
        // A table that is not in the briefcase goes.
        try folder.save(shop, tables: [])
        #expect(try Briefcase.load(folder.path)?.tables.count == 2)
    }

    @Test(
        "a property list that is none names the line",
        arguments: [
            ("<plist><dict><key>a</key></dict></plist>", "a key without a value", 1),
            ("<plist>\n<dict><string>a</string></dict></plist>", "an element 'string' at this place", 2),
            ("<plist><dict><key>a</key><array/></dict></plist>", "an element 'array' at this place", 1),
            ("<plist><dict><key>a</key><true/><key>a</key>\n<true/></dict></plist>", "a key twice", 2),
            ("<!DOCTYPE plist [<!ENTITY a 'b'>]><plist/>", "a document type with declarations", 1),
            ("<dict/>", "an element 'dict' at this place", 1),
        ]
    )
    func badProperties(_ text: String, _ reason: String, _ line: Int) {
        #expect(throws: BriefcaseError.properties(reason: reason, line: line)) {
            try PropertyList.decode(ByteBuffer(string: text))
        }
    }

    @Test("names of tables become names of files and nothing else")
    func fileNames() throws {
        let place = TemporaryDirectory()
        let file = try BriefcaseFile(place.path(of: "d"), form: .folder)
        var briefcase = Briefcase()
        let names = ["../x", ".hidden", "a%2Fb", "ü\n", "CON", "Properties.plist"]
        for name in names { briefcase.put(try DataTable(name: name, columns: [DataColumn("A", .integer)])) }
        try file.save(briefcase)
        #expect(Set(try #require(try Briefcase.load(file.path)).tables.map(\.name)) == Set(names))
        #expect(place.names() == ["d"])
        briefcase.remove(".HIDDEN")
        try file.save(briefcase, tables: [])
        #expect(try Briefcase.load(file.path)?.table(".hidden") == nil)
        #expect(try Briefcase.load(file.path)?.tables.count == 5)
    }

    @Test("a damaged file is an error or other content, and never a crash")
    func damaged() throws {
        var briefcase = try shop()
        briefcase.changes = try edited(briefcase)
        let bytes = try briefcase.encoded()
        var refused = 0
        for place in stride(from: 0, to: bytes.readableBytes, by: 3) {
            var other = bytes
            other.setInteger(UInt8(place & 0xFF) ^ 0x5A, at: place)
            for file in [other, bytes.getSlice(at: 0, length: place) ?? ByteBuffer()] {
                do { _ = try Briefcase(decoding: file).changeSet() } catch { refused += 1 }
            }
        }
        #expect(refused > bytes.readableBytes / 3)
        var numbers = SeededRandom(seed: 1)
        for _ in 0..<(Soak.isOn ? 100_000 : 300) {
            guard var read = try? Briefcase(decoding: bytes.mutated(&numbers)), let file = try? read.encoded() else {
                continue
            }
            let again = try Briefcase(decoding: file)
            #expect(again.properties == read.properties && again.tables.map(\.name) == read.tables.map(\.name))
            if let (set, _) = try? read.changeSet() { try read.update(from: set) }
            _ = try? read.encoded()
        }
    }
}
