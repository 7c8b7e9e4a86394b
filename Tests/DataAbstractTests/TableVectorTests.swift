// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import TestSupport
import Testing

@testable import DataAbstract

/// The vectors of tables. Those of messages are in RemotingTests.
@Suite struct TableVectorTests {
    @Test("every vector of a table, a delta and a where clause is read and written as the vendor's client does")
    func vectors() throws {
        let (vectors, total) = try TableVector.all()
        var passed: [String: Int] = [:]
        for vector in vectors {
            switch vector.kind {
            case "dataset-stream": try checkTables(vector)
            case "delta-stream": try checkDeltas(vector)
            default: try checkWhere(vector)
            }
            passed[vector.kind, default: 0] += 1
        }
        #expect(passed == ["dataset-stream": 10, "delta-stream": 17, "dynamic-where-xml": 18])
        let messages = 151
        #expect(vectors.count + messages == total)
        print(
            "vendor vectors: \(vectors.count) of tables checked both ways \(passed), with the \(messages) of messages "
                + "\(vectors.count + messages) of \(total)"
        )
    }

    @Test("so is every delta in the vendor's requests and replies of UpdateData")
    func deltasInMessages() throws {
        let vectors = try TableVector.deltasInMessages()
        #expect(vectors.count == 15)
        for vector in vectors { try checkDeltas(vector) }
    }

    private func checkTables(_ vector: TableVector) throws {
        let bytes = try vector.bytes.unwrapped
        let stream = try TableStream(decoding: bytes)
        #expect(try stream.encoded() == bytes, "\(vector.name)")
        var built = TableStream()
        for (table, input) in zip(stream.tables, try vector.input.objects("datasets")) {
            let fields = try input.objects("fields")
            let columns = try fields.map { try DataColumn($0) }
            let rows = try input.array("rows").map { try DataColumn.values($0, columns) }
            #expect(try table.name == input.string("name"), "\(vector.name)")
            #expect(table.columns == columns, "\(vector.name)")
            #expect(table.rows.map(Array.init) == rows, "\(vector.name)")
            let schema = try TableSchema(
                fields: fields.map { SchemaEntry(try $0.object("props")) },
                parameters: (input.optionalObjects("params") ?? []).map { SchemaEntry($0) }
            )
            #expect(table.schema?.fields == schema.fields && table.schema?.parameters == schema.parameters)
            var again = try DataTable(name: table.name, columns: columns, schema: schema)
            for row in rows { try again.append(row) }
            built.tables.append(again)
        }
        // This stream has a number of properties although its schema has no fields.
        guard vector.name != "dataset no columns" else { return }
        #expect(try built.encoded() == bytes, "\(vector.name)")
    }

    private func checkDeltas(_ vector: TableVector) throws {
        let bytes = try vector.bytes.unwrapped
        let stream = try DeltaStream(decoding: bytes)
        #expect(try stream.encoded() == bytes, "\(vector.name)")
        let inputs = try vector.input.objects("deltas")
        #expect(stream.deltas.count == inputs.count, "\(vector.name)")
        var built = DeltaStream()
        for (delta, input) in zip(stream.deltas, inputs) {
            let fields = try input.objects("fields").map { try DataColumn($0) }
            var again = Delta(
                name: try input.string("name"),
                fields: fields,
                keys: try input.strings("keys"),
                isReduced: try input.bool("reduced")
            )
            let changes = try input.objects("changes")
            #expect(delta.name == again.name && delta.changes.count == changes.count, "\(vector.name)")
            for (change, input) in zip(delta.changes, changes) {
                #expect(delta.keys == again.keys && delta.isReduced == again.isReduced, "\(vector.name)")
                #expect(try "\(change.kind)" == input.string("change"), "\(vector.name)")
                #expect(try "\(change.status)" == input.optionalString("status") ?? "pending", "\(vector.name)")
                #expect(try change.message == input.optionalString("message") ?? "", "\(vector.name)")
                let old = try DataColumn.values(input["old"], fields)
                let new = try DataColumn.values(input["new"], fields)
                #expect(Array(change.old) == old && Array(change.new) == new, "\(vector.name)")
                try again.append(
                    change.kind,
                    recordID: Int32(try input.integer("recid")),
                    old: old,
                    new: new,
                    status: change.status,
                    message: change.message
                )
            }
            built.deltas.append(again)
        }
        #expect(try built.encoded() == bytes, "\(vector.name)")
    }

    private func checkWhere(_ vector: TableVector) throws {
        let text = try vector.text.unwrapped
        let expression = try WhereExpression(vector.input)
        let written = try DynamicWhere.xml(expression)
        #expect(try DynamicWhere.expression(parsing: written) == expression, "\(vector.name)")
        guard vector.name != "where markup characters" else {
            // The vendor's client does not escape, so this text is not XML.
            #expect(written == text.replacing("a<b&c", with: "a&lt;b&amp;c"))
            #expect(throws: WhereError.self) { try DynamicWhere.expression(parsing: text) }
            return
        }
        #expect(written == text, "\(vector.name)")
    }
}

extension WhereExpression {
    /// Parses an expression as written in the vectors.
    fileprivate init(_ json: JSONObject) throws {
        func operand(_ key: String) throws -> WhereExpression { try WhereExpression(try json.object(key)) }
        if let name = json["binary"]?.stringValue {
            self = .binary(WhereOperator(rawValue: name), try operand("left"), try operand("right"))
        } else if let name = json["unary"] {
            self = .unary(name.stringValue.map(WhereOperator.init(rawValue:)), try operand("node"))
        } else if let name = json["field"]?.stringValue {
            self = .field(name)
        } else if let name = json["parameter"]?.stringValue {
            self = .parameter(name, type: try json.string("type"), size: try json.optionalInteger("size").map(Int.init))
        } else if let name = json["macro"]?.stringValue {
            self = .macro(name)
        } else if let operands = json["between"]?.arrayValue {
            let parts = try operands.map { try WhereExpression(try $0.objectValue.unwrapped) }
            self = .between(parts[0], parts[1], parts[2])
        } else if let elements = json["list"]?.arrayValue {
            self = .list(try elements.map { try WhereExpression(try $0.objectValue.unwrapped) })
        } else if let value = json["constant"] {
            let text = value.stringValue ?? value.text
            self = .constant(try json.integer("null") == 1 ? nil : text, type: try json.string("type"))
        } else {
            self = .null
        }
    }
}
