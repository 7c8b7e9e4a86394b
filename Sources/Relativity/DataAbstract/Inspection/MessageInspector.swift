// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import Platform
import Remoting

/// Splits the body of a message into parts. Every part is an object with its offset; the parts together cover the
/// whole body.
///
/// If encoding the value of a part would not give the same bytes, the part has the bytes as `hex` instead.
struct MessageInspector {
    private let body: ByteBuffer
    private let limits: WireLimits
    /// The offset of the body in the message.
    private let origin: Int
    private var reader: BinMessageReader
    private var parts: [JSONValue] = []

    init(_ body: ByteBuffer, origin: Int, limits: WireLimits) {
        self.body = body
        self.origin = origin
        self.limits = limits
        reader = BinMessageReader(body, limits: limits)
    }

    /// Returns the parts of a body of this kind, to the last byte. A body of an unknown kind is one part.
    ///
    /// - Parameter types: the types of the parameters as given by the caller, used instead of the catalog.
    mutating func parts(of kind: MessageKind?, types: [NamedType]?) -> [JSONValue] {
        switch kind {
        case .message:
            if string("service") != nil, let method = string("method") { parameters(of: method, types) }
        case .exception:
            if let name = string("class"), string("message") != nil { fields(ofException: name, types) }
        case .event:
            if let sink = string("sink"), let event = string("event") {
                let known = types ?? ServiceCatalog.parameters(ofEvent: event, sink: sink)
                parameters(known.map { [$0] } ?? [])
            }
        case .poll:
            parameters([[.init("eventLimit", .integer), .init("clientID", .guid)]])
        case .pollResponse:
            events()
        case nil:
            break
        }
        rest()
        return parts
    }

    private mutating func parameters(of method: String, _ types: [NamedType]?) {
        if let types {
            parameters([types])
            return
        }
        // Clients ignore the suffix of a reply's method, so a server may omit it.
        let suffix = "Response"
        let answers = ServiceCatalog.signatures(
            of: method.hasSuffix(suffix) ? String(method.dropLast(suffix.count)) : method
        )
        parameters(ServiceCatalog.signatures(of: method).map(\.parameters) + answers.map(\.results))
    }

    /// Reads the fields only if exactly one order fits the bytes, because it is unknown in which order servers write
    /// them. A stack trace may follow.
    private mutating func fields(ofException className: String, _ types: [NamedType]?) {
        let known = types.map { [$0] } ?? ServiceCatalog.fields(ofException: className)
        let orders = known.isEmpty ? [[]] : known
        let trace = NamedType("stackTrace", .utf8String)
        let fitting = (orders + orders.map { $0 + [trace] }).filter { reading($0) != nil }
        if fitting.count == 1 { parameters(fitting) }
    }

    /// Applies the first candidate that consumes all bytes. If there is none, nothing changes.
    private mutating func parameters(_ candidates: [[NamedType]]) {
        for candidate in candidates {
            guard let read = reading(candidate) else { continue }
            self = read
            return
        }
    }

    /// Returns the state after reading values of these types, if they consume all bytes.
    private func reading(_ types: [NamedType]) -> MessageInspector? {
        var attempt = self
        let isRead = types.allSatisfy { attempt.value($0.type, name: $0.name) }
        return isRead && attempt.reader.remaining == 0 ? attempt : nil
    }

    /// Reads two counts, then messages inside Binary values.
    private mutating func events() {
        guard value(.integer, name: "count"), value(.integer, name: "left") else { return }
        while reader.remaining > 0 {
            var ahead = reader
            let start = offset
            guard let event = try? ahead.readBinary(),
                let document = try? MessageDocument.decode(event, origin: start + Self.binaryHeader, limits: limits),
                document["compressed"] == .bool(false)
            else {
                guard value(.binary, name: "event") else { return }
                continue
            }
            reader = ahead
            append(start, name: "event", ValueType.message, document)
        }
    }

    /// Appends the remaining bytes, whose meaning is unknown, as one part.
    private mutating func rest() {
        guard reader.remaining > 0 else { return }
        append(offset, name: nil, ValueType.bytes, ["hex": .string(Self.hex(reader.rest))])
    }

    /// Reads a service, method, class or sink: 8-bit text.
    private mutating func string(_ name: String) -> String? {
        var ahead = reader
        guard let text = try? ahead.readText(), value(.ansiString, name: name) else { return nil }
        return text
    }

    /// - Returns: false if the bytes are not such a value; then nothing is consumed.
    private mutating func value(_ type: RemotingType, name: String?) -> Bool {
        let before = self
        do {
            switch type {
            case .structure: try structure(name)
            case .array(let element): try array(of: element, name)
            default: try leaf(type, name)
            }
            return true
        } catch {
            self = before
            return false
        }
    }

    private mutating func structure(_ name: String?) throws {
        let start = offset
        guard try reader.readAssigned() else { return append(start, name: name, ValueType.structure, ["value": .null]) }
        let className = try reader.readUTF8()
        guard let fields = ServiceCatalog.structs.fields(of: className) else {
            throw RemotingError.malformed(reason: "struct of an unknown class")
        }
        let values = try inside { inspector in
            for field in fields where !inspector.value(field.type, name: field.name) { throw Self.unreadable }
        }
        append(start, name: name, ValueType.structure, ["class": .string(className), "fields": .array(values)])
    }

    private mutating func array(of element: RemotingType, _ name: String?) throws {
        let start = offset
        guard try reader.readAssigned() else { return append(start, name: name, ValueType.array, ["value": .null]) }
        let count = try reader.readElementCount()
        let values = try inside { inspector in
            for _ in 0..<count where !inspector.value(element, name: nil) { throw Self.unreadable }
        }
        append(start, name: name, ValueType.array, ["elements": .array(values)])
    }

    private static let unreadable = RemotingError.malformed(reason: "not of the type declared")

    /// Returns the parts that the closure reads, separate from the surrounding parts.
    private mutating func inside(_ read: (inout MessageInspector) throws -> Void) throws -> [JSONValue] {
        var inner = self
        inner.parts = []
        try read(&inner)
        reader = inner.reader
        return inner.parts
    }

    private mutating func leaf(_ type: RemotingType, _ name: String?) throws {
        let start = offset
        let before = reader.rest
        let value = try reader.readValue(type)
        if case .binary(let bytes?) = value, let document = stream(bytes, at: start + Self.binaryHeader) {
            return append(start, name: name, ValueType.stream, document)
        }
        let count = before.readableBytes - reader.remaining
        let bytes = before.getSlice(at: before.readerIndex, length: count) ?? ByteBuffer()
        var members = ValueDocument.write(value)
        var again = BinMessageWriter()
        if let read = try? ValueDocument.read(members, as: type) { again.write(read) }
        if again.buffer != bytes { members = ["hex": .string(Self.hex(bytes))] }
        append(start, name: name, ValueType.name(of: type), members)
    }

    /// The flag and the count before the bytes of a Binary.
    private static let binaryHeader = 5

    /// Returns nil unless encoding the stream's document gives the same bytes.
    private func stream(_ bytes: ByteBuffer, at place: Int) -> JSONObject? {
        guard StreamDocument.isStream(bytes), let document = try? StreamDocument.decode(bytes, origin: place),
            document["hex"] == nil
        else { return nil }
        return document
    }

    private var offset: Int { origin + body.readableBytes - reader.remaining }

    private mutating func append(_ offset: Int, name: String?, _ type: String, _ members: JSONObject) {
        var part: JSONObject = ["offset": .integer(Int64(offset))]
        if let name { part["name"] = .string(name) }
        part["type"] = .string(type)
        for member in members { part[member.key] = member.value }
        parts.append(.object(part))
    }

    private static func hex(_ bytes: ByteBuffer) -> String { HexText.encode(Array(bytes.readableBytesView)) }
}
