// SPDX-License-Identifier: Apache-2.0

public import NIOCore
import Platform

/// The form of one file: the vendor's stream of tables. The first table is our own: one row with the properties, as a
/// property list, and the pending changes, in the format of a pending file. The vendor's form of both is not documented.
extension Briefcase {
    /// The name of our own table.
    static let ownTable = "$relativityd.briefcase"
    private static let ownColumns = [DataColumn("Properties", .blob), DataColumn("Changes", .blob)]
    private static let longestName = 200

    /// Decodes a file. Without our own table there are no properties and no changes.
    ///
    /// - Parameter codePage: returns the code page of 8-bit text for the name in the properties; nil for Latin-1.
    /// - Throws: `tables`, `properties`, `changes`, `duplicateTable`, `tooLarge`.
    public init(
        decoding bytes: ByteBuffer,
        codePage: (_ name: String?) -> CodePage? = Briefcase.codePage
    ) throws(BriefcaseError) {
        let found = try Self.tables(bytes, file: nil)
        for table in found where table.name == Self.ownTable {
            guard table.columns == Self.ownColumns, table.rows.count == 1 else {
                throw .tables(file: nil, .malformed(reason: "another table '\(Self.ownTable)'", offset: 0))
            }
            if let bytes = table.rows[0].bytes(0) { properties = try PropertyList.decode(bytes) }
            changes = try Self.changes(table.rows[0].bytes(1), codePage(properties[Self.codePageKey]))
        }
        let page = codePage(properties[Self.codePageKey])
        for table in found where table.name != Self.ownTable { try add(table.reading(in: page)) }
    }

    /// Encodes a file.
    ///
    /// - Throws: `invalidTable`, `invalidProperty`, `tooLarge`.
    public func encoded() throws(BriefcaseError) -> ByteBuffer {
        let changes = try encodedChanges()
        let properties = try PropertyList.encode(properties)
        for table in tables { try Self.check(table.name) }
        do throws(TableError) {
            var own = try DataTable(name: Self.ownTable, columns: Self.ownColumns)
            try own.append([.bytes(properties), changes.map { .bytes($0) } ?? .null])
            return try TableStream([own] + tables).encoded()
        } catch {
            throw error == .tooLong ? .tooLarge : .tables(file: nil, error)
        }
    }

    /// Encodes a file of a folder.
    ///
    /// - Throws: `tables`, `tooLarge`.
    static func encode(_ table: DataTable) throws(BriefcaseError) -> ByteBuffer {
        do throws(TableError) {
            return try TableStream([table]).encoded()
        } catch {
            throw error == .tooLong ? .tooLarge : .tables(file: nil, error)
        }
    }

    static func tables(_ bytes: ByteBuffer, file: String?) throws(BriefcaseError) -> [DataTable] {
        do throws(TableError) {
            let limits = TableLimits(bytes: DurableFile.mostBytes, rows: Int(Int32.max), cell: DurableFile.mostBytes)
            return try TableStream(decoding: bytes, limits: limits).tables
        } catch {
            throw .tables(file: file, error)
        }
    }

    /// Adds a table that was read.
    mutating func add(_ table: DataTable) throws(BriefcaseError) {
        guard self.table(table.name) == nil else { throw .duplicateTable(table.name) }
        put(table)
    }

    static func changes(_ bytes: ByteBuffer?, _ codePage: CodePage?) throws(BriefcaseError) -> ChangeSet? {
        guard let bytes else { return nil }
        var journal = PendingJournal(codePage: codePage)
        do throws(PendingFileError) {
            return try journal.read(bytes).set
        } catch {
            throw .changes(error)
        }
    }

    /// The pending changes in the format of a pending file, with the place of the tables; nil if there are none.
    func encodedChanges() throws(BriefcaseError) -> ByteBuffer? {
        guard var changes, changes.hasChanges || !changes.undecidedRows.isEmpty || changes.phase == .applying else {
            return nil
        }
        var journal = PendingJournal()
        if let endpoint = properties[Self.endpointKey], let service = properties[Self.serviceKey] {
            let place = PendingFilePlace(endpoint: endpoint, service: service)
            journal.place = place.isShort ? place : nil
        }
        do throws(PendingFileError) {
            return try journal.snapshot(of: &changes)
        } catch {
            throw BriefcaseError(error)
        }
    }

    static func check(_ name: String) throws(BriefcaseError) {
        guard !name.isEmpty, name.utf8.count <= longestName, !NameMatch.isSimilar(name, ownTable) else {
            throw .invalidTable(name)
        }
    }
}
