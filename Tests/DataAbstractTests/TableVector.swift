// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import Platform
import Remoting
import TestSupport

@testable import DataAbstract

/// A test vector of the vendor's client other than a message: a table, a delta or a where clause.
struct TableVector {
    static let kinds = ["dataset-stream", "delta-stream", "dynamic-where-xml"]

    let name: String
    let kind: String
    let input: JSONObject
    /// Set for vectors in the binary format.
    let bytes: ByteBuffer?
    /// Set for vectors in XML.
    let text: String?

    private init(name: String, kind: String, input: JSONObject, bytes: ByteBuffer?, text: String?) {
        (self.name, self.kind, self.input, self.bytes, self.text) = (name, kind, input, bytes, text)
    }

    private init(_ entry: JSONObject) throws {
        self.init(
            name: try entry.string("name"),
            kind: try entry.string("kind"),
            input: try entry.object("input"),
            bytes: try entry.optionalString("hex").map { ByteBuffer(bytes: try HexText.decode($0).unwrapped) },
            text: try entry.optionalString("text")
        )
    }

    /// Returns all vectors of these kinds, and the number of vectors of every kind.
    static func all() throws -> (vectors: [TableVector], total: Int) { try read.get() }

    /// Returns the deltas in requests and replies of UpdateData.
    static func deltasInMessages() throws -> [TableVector] {
        try entries().filter { entry in
            let isMessage = try entry.string("kind").hasPrefix("bin-re")
            return try isMessage && entry.string("name").contains("UpdateData")
                && entry.object("input")["deltas"] != nil
        }.map { entry in
            let input = try entry.object("input")
            let values = try input["params"] == nil ? input.objects("results") : input.objects("params")
            return TableVector(
                name: try entry.string("name"),
                kind: "delta-stream",
                input: input,
                bytes: ByteBuffer(bytes: try HexText.decode(values[0].string("hex")).unwrapped),
                text: nil
            )
        }
    }

    private static let read = Result { try readAll() }

    private static func readAll() throws -> (vectors: [TableVector], total: Int) {
        let entries = try entries()
        return (try entries.filter { kinds.contains(try $0.string("kind")) }.map(TableVector.init), entries.count)
    }

    /// The entries of the file, as they are.
    static func entries() throws -> [JSONObject] {
        let here = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let text = TestSupport.TextFile.text(of: "/\(here)/RemotingTests/Vectors/vendor-client.json")
        return try JSONValue(parsing: text).arrayValue.unwrapped.compactMap(\.objectValue)
    }

    /// Returns the binary streams of tables or of deltas.
    static func streams(_ kind: String) throws -> [ByteBuffer] {
        try all().vectors.filter { $0.kind == kind }.compactMap(\.bytes)
    }
}

extension DataValue {
    struct Unreadable: Error {
        let type: DataType
    }

    /// Parses a cell as written in the vectors.
    init(_ json: JSONValue, as type: DataType) throws {
        func parsed<Value>(_ parse: (String) -> Value?) throws -> Value {
            guard let value = json.stringValue.flatMap(parse) else { throw Unreadable(type: type) }
            return value
        }
        switch (json, type) {
        case (.null, _): self = .null
        case (_, .float), (_, .singleFloat): self = .float(try json.numberValue.unwrapped)
        case (.integer(let value), _): self = .integer(value)
        case (.bool(let value), .boolean): self = .boolean(value)
        case (_, .dateTime): self = .dateTime(days: try parsed { DateTime($0) }.days)
        case (_, .currency): self = .currency(scaled: try parsed { Currency($0) }.scaled)
        case (_, .decimal): self = .decimal(try parsed { DataDecimal($0) })
        case (_, .largeInt), (_, .largeAutoInc): self = .integer(try parsed { Int64($0) })
        case (_, .largeUInt): self = .unsigned(try parsed { UInt64($0) })
        case (_, .blob), (_, .cursor): self = .bytes(ByteBuffer(bytes: try parsed { HexText.decode($0) }))
        case (.string(let text), .guid): self = .text(text.filter { $0 != "{" && $0 != "}" })
        case (.string(let text), _): self = .text(text)
        default: throw Unreadable(type: type)
        }
    }
}

extension DataColumn {
    /// Parses a column of a table or a field of a delta as written in the vectors.
    init(_ json: JSONObject) throws {
        let type = try DataType(name: json.string("type")).unwrapped
        self.init(try json.string("name"), type, size: Int32(try json.optionalInteger("size") ?? 0))
    }

    static func values(_ row: JSONValue?, _ columns: [DataColumn]) throws -> [DataValue] {
        try zip(try (row?.arrayValue).unwrapped, columns).map { try DataValue($0, as: $1.type) }
    }
}

extension SchemaEntry {
    /// Parses properties as written in the vectors.
    init(_ json: JSONObject) {
        self.init(json.map { Property($0.key, $0.value.stringValue) })
    }
}
