// SPDX-License-Identifier: Apache-2.0

package import JSON
package import NIOCore
import Platform

/// A stream of tables or of deltas as JSON for people, and the way back (relctl(1), `wire`).
///
/// The way back gives the same bytes for every stream that can be read. What the document's own values would write
/// otherwise stands in `exceptions`: the bytes that are not the usual ones, each run with its offset. A stream that would
/// come out in another length is in `hex` as a whole.
package enum StreamDocument {
    private static let version: Int64 = 1
    private static let tables = "tables"
    private static let deltas = "deltas"

    /// Whether these bytes say that they are a stream.
    package static func isStream(_ bytes: ByteBuffer) -> Bool {
        let signature = StreamDirectory.signature
        return bytes.readableBytes >= StreamDirectory.headerBytes
            && bytes.readableBytesView.starts(
                with: UnsafeBufferPointer(start: signature.utf8Start, count: signature.utf8CodeUnitCount)
            )
    }

    /// Whether a document of this kind tells of a stream.
    package static func isKind(_ kind: JSONValue?) -> Bool { kind == .string(tables) || kind == .string(deltas) }

    /// - Parameters:
    ///   - origin: where the stream begins in whatever it came in; added to every offset.
    ///   - isRedacted: leaves out what rows hold, and the messages of changes.
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
            // An error of the tables is the one to tell, unless these are deltas.
            guard let stream = try? DeltaStream(decoding: bytes, limits: limits) else { throw error }
            document["kind"] = .string(deltas)
            document[deltas] = .array(stream.deltas.map { DeltaDocument.write($0, origin: origin) })
        }
        if isRedacted { return redacted(document) }
        note(bytes, in: &document)
        return document
    }

    /// What tells which bytes the document's values would not give back.
    private static func note(_ bytes: ByteBuffer, in document: inout JSONObject) {
        guard let written = try? encode(document), written.readableBytes == bytes.readableBytes else {
            document["hex"] = .string(HexText.encode(bytes.readableBytesView))
            return
        }
        let exceptions = ByteException.all(in: bytes, comparedTo: written)
        if !exceptions.isEmpty { document["exceptions"] = .array(exceptions.map(\.json)) }
    }

    /// A document without what rows hold; no stream can be made of it.
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
                        // Their values may be anybody's.
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

    /// The stream that a document tells of. Offsets are looked at only in exceptions.
    ///
    /// - Throws: `DocumentError`; `TableError` for a value that its column cannot hold.
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
