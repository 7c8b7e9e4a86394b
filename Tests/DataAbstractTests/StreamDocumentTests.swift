// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import Platform
import Remoting
import TestSupport
import Testing

@testable import DataAbstract

@Suite struct StreamDocumentTests {
    private func streams() throws -> [ByteBuffer] {
        try TableVector.streams("dataset-stream") + TableVector.streams("delta-stream")
    }

    /// Decodes a stream, and encodes the text of its document.
    private func thereAndBack(_ bytes: ByteBuffer) throws -> ByteBuffer {
        let text = JSONValue.object(try StreamDocument.decode(bytes)).serialized(.pretty)
        let limits = JSONLimits(depth: 128, bytes: 64 << 20, values: 1 << 22)
        return try StreamDocument.encode(JSONValue(parsing: text, limits: limits).objectValue.unwrapped)
    }

    @Test("every stream of the vendor's client survives the round trip byte for byte by its values alone")
    func vectors() throws {
        for bytes in try streams() {
            let document = try StreamDocument.decode(bytes)
            #expect(StreamDocument.isStream(bytes) && StreamDocument.isKind(document["kind"]))
            #expect(document["hex"] == nil)
            #expect(try thereAndBack(bytes) == bytes)
        }
    }

    @Test("a readable stream with changed bytes survives the round trip byte for byte", arguments: 0..<30)
    func mutations(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        for bytes in try streams() {
            let changed = bytes.mutated(&numbers)
            guard (try? StreamDocument.decode(changed)) != nil else { continue }
            #expect(try thereAndBack(changed) == changed)
        }
    }

    @Test("values without an exact text are exceptions")
    func exceptions() throws {
        let columns = [DataColumn("A", .float), DataColumn("B", .boolean), DataColumn("C", .wideString)]
        var table = try DataTable(name: "T", columns: columns)
        try table.append([.float(-.infinity), .boolean(true), .text("x")])
        try table.append([.float(.nan), .boolean(true), .text("y")])
        var bytes = try TableStream([table]).encoded()
        let rows = try StreamDocument.decode(bytes).objects("tables")[0].objects("rows")
        #expect(rows.map { $0["cells"] } == [["-inf", true, "x"], ["nan", true, "y"]])
        // A payload in the NaN, a true encoded as 7, an unpaired surrogate.
        let second = Int(try rows[1].integer("offset"))
        bytes.setBytes([1, 2, 3], at: second + 1)
        bytes.setInteger(UInt8(7), at: second + 9)
        bytes.setBytes([0x00, 0xD8], at: second + 14)
        let document = try StreamDocument.decode(bytes)
        #expect(
            try document.objects("exceptions").map { try $0.integer("offset") } == [
                Int64(second + 1), Int64(second + 9), Int64(second + 14),
            ]
        )
        #expect(try thereAndBack(bytes) == bytes)
    }

    @Test("bytes after the directory are kept")
    func trailing() throws {
        var bytes = try TableStream([]).encoded()
        bytes.writeString("more")
        #expect(try StreamDocument.decode(bytes)["hex"] != nil)
        #expect(try thereAndBack(bytes) == bytes)
    }

    @Test("a stream in the reply to GetData is a part of the message, with offsets into the message")
    func inMessage() throws {
        var table = try DataTable(name: "T", columns: [DataColumn("A", .string)])
        try table.append([.text("Canary")])
        var writer = RequestMessage.writer(clientID: ClientID(), service: "DataService", method: "GetDataResponse")
        writer.write(binary: try TableStream([table]).encoded())
        let bytes = writer.buffer
        let document = try MessageDocument.decode(bytes)
        let part = try document.objects("parts").last.unwrapped
        #expect(part["type"] == "stream" && part["name"] == "Result")
        let row = try part.objects("tables")[0].objects("rows")[0]
        // After the mask and the count.
        #expect(bytes.getString(at: Int(try row.integer("offset")) + 5, length: 6) == "Canary")
        #expect(try MessageDocument.encode(document) == bytes)
        let redacted = try MessageDocument.decode(bytes, isRedacted: true)
        #expect(!redacted.text.contains("Canary") && redacted.text.contains(#""rows":1"#))
    }

    @Test("a redacted document contains nothing of the rows, and cannot be encoded")
    func redaction() throws {
        let canary = "Canary-4711"
        let field = DataColumn("A", .string)
        let parameter = SchemaEntry([.init("Name", "p"), .init("Value", canary)])
        let schema = try TableSchema(fields: [SchemaEntry(field: "A", .string)], parameters: [parameter])
        var table = try DataTable(name: "T", columns: [field], schema: schema)
        try table.append([.text(canary)])
        var delta = Delta(name: "T", fields: [field], keys: [])
        try delta.append(.update, recordID: 1, old: [.text(canary)], new: [.text(canary)], message: canary)
        for bytes in [try TableStream([table]).encoded(), try DeltaStream([delta]).encoded()] {
            #expect(try StreamDocument.decode(bytes).text.contains(canary))
            for end in ["", "more"] {
                var bytes = bytes
                bytes.writeString(end)
                let document = try StreamDocument.decode(bytes, isRedacted: true)
                #expect(!document.text.contains(canary) && !document.text.contains(HexText.encode(canary.utf8)))
                #expect(throws: DocumentError.redacted) { try StreamDocument.encode(document) }
            }
        }
    }

    @Test("encode rejects a document that does not describe a stream")
    func refusals() throws {
        var table = try DataTable(name: "T", columns: [DataColumn("A", .byte)])
        try table.append([.integer(1)])
        let text = JSONValue.object(try StreamDocument.decode(TableStream([table]).encoded())).text
        let wrong = [
            (#""tables""#, #""tabels""#), (#""T""#, "1"), ("datByte", "datNothing"), ("[1]", "[]"), ("[1]", "[256]"),
            ("[1]", #"["x"]"#), (#""rows""#, #""lines""#), (#""size":0"#, #""size":"a""#),
        ]
        for (old, new) in wrong {
            let changed = try JSONValue(parsing: text.replacing(old, with: new)).objectValue.unwrapped
            #expect(throws: (any Error).self, "\(new)") { try StreamDocument.encode(changed) }
        }
        for exception: JSONValue in [["offset": -1, "hex": "00"], ["offset": 1_000, "hex": "00"], ["offset": 0]] {
            var document = try JSONValue(parsing: text).objectValue.unwrapped
            document["exceptions"] = [exception]
            #expect(throws: DocumentError.self) { try StreamDocument.encode(document) }
        }
        #expect(throws: TableError.self) { try StreamDocument.decode(ByteBuffer(string: "DABIN200xxxxyyyy")) }
    }
}
