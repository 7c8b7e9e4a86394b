// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import JSON
import LocalAPI
import Varlink

extension TableView {
    /// The extra fields of a call; nil if it has none.
    ///
    /// - Throws: `InvalidParameter`, `DataError.badView`.
    init?(_ call: DataAPI.ReadCall) throws {
        let (lookups, calculated) = (call.lookups ?? [], call.calculated ?? [])
        guard !lookups.isEmpty || !calculated.isEmpty else { return nil }
        self.init(
            call.table,
            lookups: try lookups.enumerated().map { try LookupField($1, index: $0) },
            calculated: try calculated.enumerated().map { try CalculatedField($1, index: $0) },
            references: try (call.references ?? []).map { try KeyReference($0) }
        )
    }
}

extension LookupField {
    fileprivate init(_ record: DataAPI.Lookup, index: Int) throws(VarlinkError) {
        let content: Content
        if let list = record.list {
            var entries: [LookupEntry] = []
            for (key, value) in list {
                guard let text = value.stringValue else { throw .invalidParameter("lookups[\(index)].list") }
                entries.append(LookupEntry(.text(key), text))
            }
            content = .list(entries)
        } else {
            guard let table = record.table, let keys = record.keys, let shown = record.shown else {
                throw .invalidParameter("lookups[\(index)].table")
            }
            content = .table(table, keys: keys, result: shown)
        }
        self.init(record.name, record.fields, in: content, missing: record.missing)
    }
}

extension CalculatedField {
    fileprivate init(_ record: DataAPI.Calculated, index: Int) throws {
        do {
            try self.init(record.name, record.expression, type: record.type)
        } catch ViewTextError.type {
            throw VarlinkError.invalidParameter("calculated[\(index)].type")
        }
    }
}

extension KeyReference {
    /// - Throws: `InvalidParameter` unless both sides have the same number of fields.
    init(_ reference: DataAPI.Reference) throws(VarlinkError) {
        guard !reference.detailFields.isEmpty, reference.detailFields.count == reference.masterFields.count else {
            throw .invalidParameter("references")
        }
        self.init(reference.detail, reference.detailFields, to: reference.master, reference.masterFields)
    }
}
