// SPDX-License-Identifier: Apache-2.0

import JSON

/// A table in a document.
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
