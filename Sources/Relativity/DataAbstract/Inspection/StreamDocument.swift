// SPDX-License-Identifier: Apache-2.0

package import JSON
package import NIOCore
import Platform
import Remoting

/// Converts a stream of tables or deltas to JSON for people, and back (relctl(1), `wire`).
///
/// Encoding a document gives the same bytes for every stream that can be read. Bytes that differ from the encoding of
/// the document's values are listed in `exceptions`, each run with its offset. If the encoding would have another
/// length, the whole stream is in `hex`.
package enum StreamDocument {
    private static let version: Int64 = 1
    private static let tables = "tables"
    private static let deltas = "deltas"

    /// Whether the bytes have the length and the signature of a stream.
    package static func isStream(_ bytes: ByteBuffer) -> Bool {
        let signature = StreamDirectory.signature
        return bytes.readableBytes >= StreamDirectory.headerBytes
            && bytes.readableBytesView.starts(
                with: UnsafeBufferPointer(start: signature.utf8Start, count: signature.utf8CodeUnitCount)
            )
    }

    /// Whether a document of this kind describes a stream.
    package static func isKind(_ kind: JSONValue?) -> Bool { kind == .string(tables) || kind == .string(deltas) }

    /// Decodes a stream into a document.
    ///
    /// - Parameters:
    ///   - origin: the offset of the stream in the data that contains it; added to every offset.
    ///   - isRedacted: leaves out the content of rows and the messages of changes.
    /// - Throws: `TableError`.
    package static func decode(
        _ bytes: ByteBuffer,
        origin: Int = 0,
        isRedacted: Bool = false,
        limits: TableLimits = .standard
    ) throws -> JSONObject {
        var document: JSONObject = ["document": .integer(version)]
        do {
            let stream = try TableStream(decoding: bytes, limits: limits)
            document["kind"] = .string(tables)
            document[tables] = .array(stream.tables.map { TableDocument.write($0, origin: origin) })
        } catch {
            // If the bytes are not deltas either, the error of the tables is reported.
            guard let stream = try? DeltaStream(decoding: bytes, limits: limits) else { throw error }
            document["kind"] = .string(deltas)
            document[deltas] = .array(stream.deltas.map { DeltaDocument.write($0, origin: origin) })
        }
        if isRedacted { return redacted(document) }
        note(bytes, in: &document)
        return document
    }

    /// Adds `exceptions` or `hex`: the bytes that encoding the document's values would not reproduce.
    private static func note(_ bytes: ByteBuffer, in document: inout JSONObject) {
        guard let written = try? encode(document), written.readableBytes == bytes.readableBytes else {
            document["hex"] = .string(HexText.encode(bytes.readableBytesView))
            return
        }
        let exceptions = ByteException.all(in: bytes, comparedTo: written)
        if !exceptions.isEmpty { document["exceptions"] = .array(exceptions.map(\.json)) }
    }

    /// Returns the document without the content of rows. It can no longer be encoded.
    static func redacted(_ document: JSONObject) -> JSONObject {
        var document = document
        document["hex"] = nil
        document["exceptions"] = nil
        for (list, key) in [(tables, "rows"), (deltas, "changes")] {
            guard let elements = document[list]?.arrayValue else { continue }
            document[list] = .array(
                elements.map { element in
                    guard var element = element.objectValue else { return element }
                    element[key] = count(element[key])
                    if var schema = element["schema"]?.objectValue {
                        // Values of parameters may be confidential.
                        schema["parameters"] = count(schema["parameters"])
                        element["schema"] = .object(schema)
                    }
                    return .object(element)
                }
            )
        }
        document["redacted"] = true
        return document
    }

    private static func count(_ elements: JSONValue?) -> JSONValue { .integer(Int64(elements?.arrayValue?.count ?? 0)) }

    /// Encodes the stream that a document describes. Offsets are ignored except in `exceptions`.
    ///
    /// - Throws: `DocumentError`; `TableError` if a column cannot hold a value.
    package static func encode(_ document: JSONObject) throws -> ByteBuffer {
        guard document["redacted"] != .bool(true) else { throw DocumentError.redacted }
        if let digits = document["hex"] {
            guard let bytes = digits.stringValue.flatMap({ HexText.decode($0) }) else {
                throw DocumentError.shape("hex")
            }
            return ByteBuffer(bytes: bytes)
        }
        var bytes: ByteBuffer
        if let elements = document[tables] {
            bytes = try TableStream(objects(elements, tables).map { try TableDocument.read($0) }).encoded()
        } else if let elements = document[deltas] {
            bytes = try DeltaStream(objects(elements, deltas).map { try DeltaDocument.read($0) }).encoded()
        } else {
            throw DocumentError.shape(tables)
        }
        for exception in try objects(document["exceptions"] ?? [], "exceptions") {
            try ByteException(exception).apply(to: &bytes)
        }
        return bytes
    }

    static func objects(_ value: JSONValue?, _ name: String) throws -> [JSONObject] {
        guard let elements = value?.arrayValue else { throw DocumentError.shape(name) }
        return try elements.map { element in
            guard let object = element.objectValue else { throw DocumentError.shape(name) }
            return object
        }
    }
}

/// Converts between a table and its part of a document.
enum TableDocument {
    static func write(_ table: DataTable, origin: Int) -> JSONValue {
        var object: JSONObject = ["name": .string(table.name)]
        if let schema = table.schema {
            object["schema"] = [
                "fields": .array(schema.fields.map(properties)),
                "parameters": .array(schema.parameters.map(properties)),
            ]
        }
        object["columns"] = .array(
            table.columns.map { column in
                ["name": .string(column.name), "type": .string(column.type.name), "size": .integer(Int64(column.size))]
            }
        )
        object["rows"] = .array(
            table.rows.enumerated().map { index, row in
                [
                    "offset": .integer(Int64(origin + table.rows.offset(of: index))),
                    "cells": CellDocument.write(row, table.columns),
                ]
            }
        )
        return .object(object)
    }

    static func read(_ object: JSONObject) throws -> DataTable {
        guard let name = object["name"]?.stringValue else { throw DocumentError.shape("name of a table") }
        var table = try DataTable(name: name, columns: columns(object["columns"], "columns"), schema: schema(object))
        for row in try StreamDocument.objects(object["rows"], "rows") {
            try table.append(try CellDocument.read(row["cells"], table.columns))
        }
        return table
    }

    static func columns(_ value: JSONValue?, _ place: String) throws -> [DataColumn] {
        try StreamDocument.objects(value, place).map { object in
            guard let name = object["name"]?.stringValue,
                let type = object["type"]?.stringValue.flatMap(DataType.init(name:)),
                let size = (object["size"] ?? 0).integerValue.flatMap(Int32.init(exactly:))
            else { throw DocumentError.shape(place) }
            return DataColumn(name, type, size: size)
        }
    }

    private static func schema(_ object: JSONObject) throws -> TableSchema? {
        guard let schema = object["schema"] else { return nil }
        return try TableSchema(
            fields: StreamDocument.objects(schema.objectValue?["fields"], "fields").map(entry),
            parameters: StreamDocument.objects(schema.objectValue?["parameters"], "parameters").map(entry)
        )
    }

    private static func properties(_ entry: SchemaEntry) -> JSONValue {
        .object(JSONObject(entry.properties.map { ($0.name, $0.value.map { .string($0) } ?? .null) }))
    }

    private static func entry(_ object: JSONObject) -> SchemaEntry {
        SchemaEntry(object.map { SchemaEntry.Property($0.key, $0.value.stringValue) })
    }
}

/// Converts between a delta and its part of a document.
enum DeltaDocument {
    static func write(_ delta: Delta, origin: Int) -> JSONValue {
        [
            "name": .string(delta.name),
            "fields": .array(delta.fields.map { ["name": .string($0.name), "type": .string($0.type.name)] }),
            "keys": .array(delta.keys.map { .string($0) }),
            "reduced": .bool(delta.isReduced),
            "changes": .array(
                delta.changes.enumerated().map { index, change in
                    [
                        "offset": .integer(Int64(origin + delta.changes.offset(of: index))),
                        "change": .string("\(change.kind)"),
                        "record": .integer(Int64(change.recordID)),
                        "status": .string("\(change.status)"),
                        "message": .string(change.message),
                        "old": CellDocument.write(change.old, delta.fields),
                        "new": CellDocument.write(change.new, delta.fields),
                    ]
                }
            ),
        ]
    }

    static func read(_ object: JSONObject) throws -> Delta {
        guard let name = object["name"]?.stringValue, let keys = object["keys"]?.arrayValue?.map(\.stringValue),
            !keys.contains(nil), let isReduced = object["reduced"]?.boolValue
        else { throw DocumentError.shape("delta") }
        let fields = try TableDocument.columns(object["fields"], "fields")
        var delta = Delta(name: name, fields: fields, keys: keys.compactMap(\.self), isReduced: isReduced)
        for change in try StreamDocument.objects(object["changes"], "changes") {
            guard let kind = change["change"]?.stringValue.flatMap(DeltaChange.Kind.init(word:)),
                let status = change["status"]?.stringValue.flatMap(DeltaChange.Status.init(word:)),
                let record = change["record"]?.integerValue.flatMap(Int32.init(exactly:)),
                let message = change["message"]?.stringValue
            else { throw DocumentError.shape("change") }
            try delta.append(
                kind,
                recordID: record,
                old: try CellDocument.read(change["old"], fields),
                new: try CellDocument.read(change["new"], fields),
                status: status,
                message: message
            )
        }
        return delta
    }
}

/// Converts between the cells of a row and an array of one JSON value per cell.
enum CellDocument {
    static func write(_ row: DataRow, _ columns: [DataColumn]) -> JSONValue {
        .array(row.map(write))
    }

    static func read(_ value: JSONValue?, _ columns: [DataColumn]) throws -> [DataValue] {
        guard let cells = value?.arrayValue, cells.count == columns.count else { throw DocumentError.shape("row") }
        return try zip(cells, columns).map { cell, column in
            guard let value = Self.value(cell, as: column.type) else {
                throw DocumentError.shape("value for column \(column.name.debugDescription)")
            }
            return value
        }
    }

    private static func write(_ value: DataValue) -> JSONValue {
        switch value {
        case .null: .null
        case .integer(let value): .integer(value)
        case .unsigned(let value): Int64(exactly: value).map { .integer($0) } ?? .string(String(value))
        case .float(let value): number(value)
        case .dateTime(let days):
            // Text is used if it converts back to exactly the same number.
            DateTime(days: days).text.flatMap { DateTime($0)?.days == days ? .string($0) : nil } ?? number(days)
        case .currency(let scaled): .string(Currency(scaled: scaled).description)
        case .boolean(let value): .bool(value)
        case .decimal(let value): .string(value.description)
        case .text(let text): .string(text)
        case .unreadable(let text): .string(text.text)
        case .bytes(let bytes): .string(HexText.encode(bytes.readableBytesView))
        }
    }

    /// Writes a number as text if it is not finite, because JSON has no NaN and no infinity.
    private static func number(_ value: Double) -> JSONValue {
        value.isFinite ? .number(value) : .string(value.description)
    }

    private static func value(_ json: JSONValue, as type: DataType) -> DataValue? {
        let text = json.stringValue
        // A finite number is in decimal digits.
        let number =
            json.numberValue ?? text.flatMap { Double(decimal: $0) ?? Double($0).flatMap { $0.isFinite ? nil : $0 } }
        switch type {
        case _ where json.isNull: return .null
        case .unknown: return nil
        case .byte, .shortInt, .word, .smallInt, .integer, .autoInc, .cardinal, .largeInt, .largeAutoInc:
            return json.integerValue.map { .integer($0) }
        case .largeUInt:
            return (json.integerValue.flatMap(UInt64.init) ?? text.flatMap { UInt64($0) }).map { .unsigned($0) }
        case .float, .singleFloat: return number.map { .float($0) }
        case .dateTime: return (text.flatMap { DateTime($0)?.days } ?? number).map { .dateTime(days: $0) }
        case .currency: return text.flatMap { Currency($0) }.map { .currency(scaled: $0.scaled) }
        case .boolean: return json.boolValue.map { .boolean($0) }
        case .decimal: return text.flatMap { DataDecimal($0) }.map { .decimal($0) }
        case .blob, .cursor: return text.flatMap { HexText.decode($0) }.map { .bytes(ByteBuffer(bytes: $0)) }
        case .string, .memo, .fixedChar, .wideString, .wideMemo, .fixedWideChar, .xml, .guid:
            return text.map { .text($0) }
        }
    }
}
