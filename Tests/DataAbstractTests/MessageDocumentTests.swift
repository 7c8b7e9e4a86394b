// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import Platform
import Remoting
import TestSupport
import Testing

@testable import DataAbstract

@Suite struct MessageDocumentTests {
    /// Decodes a message, and encodes the text of its document.
    private func thereAndBack(_ bytes: ByteBuffer, types: String? = nil) throws -> ByteBuffer {
        let text = JSONValue.object(try MessageDocument.decode(bytes, types: types)).serialized(.pretty)
        let limits = JSONLimits(depth: 128, bytes: 64 << 20, values: 1 << 22)
        return try MessageDocument.encode(JSONValue(parsing: text, limits: limits).objectValue.unwrapped)
    }

    private func parts(_ bytes: ByteBuffer, types: String? = nil) throws -> [JSONObject] {
        try MessageDocument.decode(bytes, types: types).objects("parts")
    }

    private let id = ClientID()

    private func request(
        _ method: String,
        service: String = "S",
        _ write: (inout BinMessageWriter) -> Void
    ) -> ByteBuffer {
        var writer = RequestMessage.writer(clientID: id, service: service, method: method)
        write(&writer)
        return writer.buffer
    }

    @Test("every message of the vendor's client survives the round trip byte for byte")
    func vectors() throws {
        let messages = try VendorMessages.all()
        #expect(messages.count == 108)
        let refused = ["response reject wrong signature", "response reject AES envelope marker"]
        #expect(messages.filter { !$0.isMessage }.map(\.name) == refused)
        for message in messages where message.isMessage {
            let again = try thereAndBack(message.bytes)
            if message.isCompressed {
                #expect(try BinMessage(decoding: again) == BinMessage(decoding: message.bytes), "\(message.name)")
            } else {
                #expect(again == message.bytes, "\(message.name)")
            }
        }
    }

    /// Whether any part, at any depth, consists of bytes of unknown meaning.
    private static func hasBytes(_ parts: [JSONValue]) -> Bool {
        parts.contains { part in
            guard let part = part.objectValue else { return true }
            if part["type"] == "bytes" { return true }
            return ["parts", "fields", "elements"].contains { hasBytes(part[$0]?.arrayValue ?? []) }
        }
    }

    @Test("known methods, events and exceptions are decoded completely")
    func whole() throws {
        var counts = (known: 0, other: 0)
        for message in try VendorMessages.all() where message.isMessage {
            let document = try MessageDocument.decode(message.bytes)
            let parts = try document.array("parts")
            let names = parts.prefix(2).map { $0.objectValue?["value"]?.stringValue ?? "" }
            let method = names.last ?? ""
            let call = method.hasSuffix("Response") ? String(method.dropLast("Response".count)) : method
            let isKnown =
                switch document["kind"] {
                case "message": !ServiceCatalog.signatures(of: call).isEmpty
                // The fields of other classes are not declared.
                case "exception": names.first == "ScriptException" || parts.count == 2
                default: true
                }
            if isKnown {
                #expect(!Self.hasBytes(parts), "\(message.name)")
                counts.known += 1
            } else {
                // The service was invented for the vectors.
                #expect(["Svc", "ECustomWithFields"].contains(names.first), "\(message.name)")
                counts.other += 1
            }
        }
        print("\(counts.known) messages decoded without a byte left over, \(counts.other) of methods that nobody knows")
        #expect(counts.known + counts.other == 106)
    }

    @Test("the fields of an exception are named if exactly one order fits")
    func exceptionFields() throws {
        func names(_ write: (inout BinMessageWriter) -> Void) throws -> [String?] {
            let bare = RemotingException(className: "ScriptException", message: "m")
            var message = ReplyMessage.encode(bare, to: id)
            var fields = BinMessageWriter()
            write(&fields)
            message.body.writeImmutableBuffer(fields.buffer)
            #expect(try thereAndBack(message.encoded()) == message.encoded())
            return try parts(message.encoded()).dropFirst(2).map { $0["name"]?.stringValue }
        }
        let declared = try names { writer in
            for value in [12, 7] as [Int32] { writer.write(value) }
            for text in ["OnNewRow", "at"] { writer.write(utf8: text) }
            writer.write(Int32(1))
        }
        #expect(declared == ["Line", "Column", "Event", "InnerStackTrace", "Type"])
        let sorted = try names { writer in
            writer.write(Int32(7))
            for text in ["OnNewRow", "at"] { writer.write(utf8: text) }
            for value in [12, 1] as [Int32] { writer.write(value) }
        }
        #expect(sorted == ["Column", "Event", "InnerStackTrace", "Line", "Type"])
        // All zero: both orders fit, so the fields are not named.
        #expect(try names { writer in for _ in 0..<5 { writer.write(Int32(0)) } } == [nil])
    }

    @Test("a stack trace after an exception is named, alone and after fields")
    func stackTrace() throws {
        func names(_ exception: RemotingException, _ write: (inout BinMessageWriter) -> Void) throws -> [String?] {
            var message = ReplyMessage.encode(exception, to: id)
            var rest = BinMessageWriter()
            write(&rest)
            message.body.writeImmutableBuffer(rest.buffer)
            #expect(try thereAndBack(message.encoded()) == message.encoded())
            return try parts(message.encoded()).dropFirst(2).map { $0["name"]?.stringValue }
        }
        let plain = RemotingException(className: "System.InvalidOperationException", message: "no such table")
        #expect(try names(plain) { $0.write(utf8: "   at RemObjects.DataAbstract.Server.GetData()") } == ["stackTrace"])
        #expect(try names(plain) { $0.write(Int32(12)) } == [nil])
        let script = RemotingException(className: "ScriptException", message: "m")
        let fields = try names(script) { writer in
            for value in [12, 7] as [Int32] { writer.write(value) }
            for text in ["OnNewRow", "at"] { writer.write(utf8: text) }
            writer.write(Int32(1))
            writer.write(utf8: "   at Server")
        }
        #expect(fields == ["Line", "Column", "Event", "InnerStackTrace", "Type", "stackTrace"])
    }

    @Test("a changed or truncated message survives the round trip byte for byte", arguments: 0..<10)
    func mutations(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        for message in try VendorMessages.all() where message.isMessage && !message.isCompressed {
            for _ in 0..<8 {
                var bytes = message.bytes
                for _ in 0..<Int.random(in: 0...3, using: &numbers) {
                    let place = Int.random(in: 6..<bytes.writerIndex, using: &numbers)
                    let values: [UInt8] = [0, 1, 2, 0x20, 0x80, 0xFF, .random(in: 0...255, using: &numbers)]
                    bytes.setInteger(values[Int.random(in: 0..<7, using: &numbers)], at: place)
                }
                if Bool.random(using: &numbers) {
                    bytes =
                        bytes.getSlice(at: 0, length: Int.random(in: 28...bytes.writerIndex, using: &numbers)) ?? bytes
                }
                #expect(try thereAndBack(bytes) == bytes, "\(message.name)")
            }
        }
    }

    @Test("any bytes after any method name survive the round trip", arguments: 0..<400)
    func randomBodies(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let methods = [
            "LoginEx", "Login", "GetData", "ExecuteCommandResponse", "LoginResponse", "Unknown", "", "\u{0}é",
        ]
        let bytes = request(methods[Int(seed) % methods.count]) { writer in
            let body = (0..<Int.random(in: 0...200, using: &numbers)).map { _ in
                Bool.random(using: &numbers)
                    ? UInt8.random(in: 0...3, using: &numbers) : .random(in: 0...255, using: &numbers)
            }
            writer.writeRaw { $0.writeBytes(body) }
        }
        for kind in [0, 1, 2, 0x80, 0x81, 0x55] as [UInt8] {
            var bytes = bytes
            bytes.setInteger(kind, at: 6)
            #expect(try thereAndBack(bytes) == bytes)
        }
    }

    @Test("every type that can be named survives the round trip, including unusual values")
    func types() throws {
        let types =
            "integer,int64,double,boolean,dateTime,currency,decimal,guid,ansiString,utf8String,wideString,xml,"
            + "binary,enum,variant,array(array(integer)),struct"
        let bytes = request("M") { writer in
            writer.write(Int32.min)
            writer.write(Int64.min)
            writer.write(Double.nan)
            writer.writeRaw { $0.writeInteger(UInt32.max) }
            writer.write(-0.75)
            writer.write(Currency(scaled: .min))
            writer.writeRaw { $0.writeBytes([UInt8](repeating: 0, count: 15) + [0x80]) }
            writer.writeRaw { $0.writeClientID(id) }
            writer.write(ansi: AnsiString(bytes: [0xFF, 0x00]))
            writer.write(utf8: "\u{0}\"😀")
            writer.writeRaw { $0.writeBytes([1, 0, 0, 0, 0, 0xD8]) }
            writer.write(utf8: "<a/>")
            writer.write(binary: nil)
            writer.write(Int32(-1))
            writer.write(.array(low: -3, [.single(.nan), .int64(.max), .array([]), .bytes(ByteBuffer(bytes: [1]))]))
            writer.write(RemotingValue.array([.array(nil), .array([.integer(7)])]))
            writer.write(
                RemotingStruct("DataParameter", [.init("Name", .utf8String("n")), .init("Value", .variant(.null))])
            )
        }
        #expect(try thereAndBack(bytes, types: types) == bytes)
        let parts = try parts(bytes, types: types)
        #expect(parts.count == 19)
        #expect(parts.allSatisfy { $0["type"]?.stringValue != "bytes" })
        let inexact = parts.filter { $0["hex"] != nil }.compactMap { $0["type"]?.stringValue }
        #expect(inexact == ["double", "boolean", "ansiString", "wideString", "variant"])
        #expect(throws: DocumentError.shape("list of types")) { try MessageDocument.decode(bytes, types: "integer,") }
        // Types that do not fit leave the bytes undecoded.
        #expect(try thereAndBack(bytes, types: "integer") == bytes)
        #expect(try self.parts(bytes, types: "integer").last?["type"] == "bytes")
    }

    @Test("the parameters of a known method have names, and offsets into the message")
    func loginEx() throws {
        let login = #"User Id="Data";Password="Relativity""#
        let bytes = request("LoginEx", service: "LoginService") { $0.write(utf8: login) }
        let document = try MessageDocument.decode(bytes)
        #expect(document["kind"] == "message" && document["compressed"] == false)
        let parts = try document.objects("parts")
        #expect(parts.map { $0["name"]?.stringValue } == ["service", "method", "aLoginString"])
        #expect(parts.map { $0["offset"]?.integerValue } == [28, 44, 55])
        #expect(parts.last?["value"]?.stringValue == login)
        #expect(bytes.getInteger(at: 55, endianness: .little, as: Int32.self) == Int32(login.utf8.count))
    }

    @Test("the two forms of Login are distinguished by their content")
    func login() throws {
        for texts in [["u", "p"], ["u", "p", "c"]] {
            let bytes = request("Login") { writer in for text in texts { writer.write(utf8: text) } }
            let names = try parts(bytes).dropFirst(2).compactMap { $0["name"]?.stringValue }
            #expect(names == ["aUserID", "aPassword", "aConnectionName"].prefix(texts.count).map { $0 })
        }
    }

    @Test("the events of a poll reply are messages with offsets into the reply")
    func events() throws {
        let event = EventMessage(sink: "Sink", name: "E", parameters: ByteBuffer(string: "xyz"))
        let bytes = PollReply(events: [event, event], left: 3).encoded(to: id).encoded()
        #expect(try thereAndBack(bytes) == bytes)
        let events = try parts(bytes).suffix(2)
        for part in events {
            #expect(part["kind"] == "event")
            for inner in try part.objects("parts") where inner["type"] == "bytes" {
                let offset = Int(try inner.integer("offset"))
                #expect(bytes.getString(at: offset, length: 3) == "xyz")
            }
        }
        var packed = BinMessageWriter()
        packed.writeCount(1)
        packed.write(Int32(0))
        packed.write(binary: event.encoded(to: id).encoded(compressingFrom: 0))
        let reply = BinMessage(header: MessageHeader(kind: .pollResponse, clientID: id), body: packed.buffer).encoded()
        #expect(try thereAndBack(reply) == reply)
    }

    @Test("a redacted document contains no ClientID and no password, and cannot be encoded")
    func redaction() throws {
        let password = "Canary-4711"
        let text = id.revealedText()
        let messages = [
            request("LoginEx") { $0.write(utf8: "User=u;Password=\(password);Domain=d;Token=\(password)") },
            request("Login") { writer in for text in ["u", password] { writer.write(utf8: text) } },
            request("Login") { writer in for text in ["u", password, "c"] { writer.write(utf8: text) } },
            request("Unknown") { $0.write(utf8: password) },
            request("GetSchemaResponse") { $0.write(utf8: "<a>\(text)</a>") },
            PollRequest(clientID: id, eventLimit: 1).encoded(),
            PollReply(events: [EventMessage(sink: "S", name: "E", parameters: ByteBuffer(string: password))])
                .encoded(to: id).encoded(),
        ]
        let bare = text.filter(\.isHexDigit)
        for message in messages {
            let plain = try MessageDocument.decode(message)
            let document = try MessageDocument.decode(message, isRedacted: true)
            for secret in [password, text, bare, HexText.encode(password.utf8)] {
                #expect(!document.text.contains(secret), "\(document.text)")
            }
            let offsets = try [plain, document].map { try $0.objects("parts").map { try $0.integer("offset") } }
            #expect(offsets[0] == offsets[1])
            #expect(throws: DocumentError.redacted) { try MessageDocument.encode(document) }
        }
        let login = try MessageDocument.decode(messages[0], isRedacted: true).objects("parts")[2]
        #expect(try login.object("value")["user"] == "u")
    }

    @Test("redaction depends on the value, not on the names that the caller gives")
    func redactionByValue() throws {
        let password = "Canary-4711"
        let login = "User=u;Domain=d;Password=\(password)"
        let guid = ClientID().revealedText()
        let parameter = RemotingStruct(
            "DataParameter",
            [.init("Name", .utf8String("p")), .init("Value", .variant(.string(password)))]
        )
        let cases: [(message: ByteBuffer, types: String?)] = [
            (request("LoginEx") { $0.write(utf8: login) }, "aTableName:utf8String"),
            (request("LoginEx") { $0.write(utf8: login) }, "aFilter:xml"),
            (
                request("Login") { writer in for text in ["u", password] { writer.write(utf8: text) } },
                "a:utf8String,b:utf8String"
            ),
            (request("Own") { $0.write(binary: ByteBuffer(string: password)) }, "binary"),
            (request("Own") { $0.write(binary: ByteBuffer(string: password)) }, nil),
            (request("Own") { $0.write(.string(password)) }, "variant"),
            (request("Own") { $0.write(wide: guid) }, "wideString"),
            (
                request("GetTableSchema") { $0.write(RemotingValue.array([.utf8String(login), .utf8String(guid)])) },
                nil
            ),
            (request("GetDatasetScripts") { $0.write(utf8: "x, Password = \(password)") }, nil),
            (request("UpdateData") { $0.write(binary: ByteBuffer(string: login)) }, nil),
            (
                request("ExecuteCommand") { writer in
                    writer.write(utf8: "Set")
                    writer.write(RemotingValue.array([.structure(parameter)]))
                }, nil
            ),
            (
                request("LoginResponse") { writer in
                    writer.write(true)
                    let fields: [NamedValue] = [
                        .init("Attributes", .array([.variant(.utf8String(password))])),
                        .init("Privileges", .array([.utf8String(password)])),
                        .init("SessionID", .utf8String(guid)), .init("UserData", .binary(ByteBuffer(string: password))),
                        .init("UserID", .utf8String("u")),
                    ]
                    writer.write(RemotingStruct("UserInfo", fields))
                }, nil
            ),
            (ReplyMessage.encode(RemotingException(className: "E", message: "no: \(login)"), to: id).encoded(), nil),
            (
                ReplyMessage.encode(
                    RemotingException(className: "E", message: "session \(guid.dropFirst().dropLast())"),
                    to: id
                ).encoded(), nil
            ),
        ]
        for (index, (message, types)) in cases.enumerated() {
            #expect(
                try MessageDocument.decode(message, types: types).objects("parts").count > 2 || types == nil,
                "\(index)"
            )
            let text = try MessageDocument.decode(message, types: types, isRedacted: true).text.lowercased()
            for secret in [password, HexText.encode(password.utf8), guid, String(guid.dropFirst().dropLast())] {
                #expect(!text.contains(secret.lowercased()), "\(index): \(text)")
            }
        }
        // With types from the caller, numbers may be the bytes of a password.
        let disguised = request("Own") { $0.writeRaw { $0.writeString("Cana") } }
        let shown = try MessageDocument.decode(disguised, types: "integer", isRedacted: true).objects("parts")
        #expect(shown.last?["value"] == MessageDocument.hidden)
    }

    @Test("redaction keeps names and numbers of known methods")
    func redactionKeeps() throws {
        let parts = try MessageDocument.decode(
            request("SQLGetData") { writer in
                writer.write(utf8: "SELECT 'x'")
                writer.write(true)
                writer.write(Int32(7))
            },
            isRedacted: true
        ).objects("parts")
        #expect(parts.map { $0["value"] } == ["S", "SQLGetData", MessageDocument.hidden, true, 7])
        let tables = try MessageDocument.decode(
            request("GetTableSchema") { $0.write(RemotingValue.array([.utf8String("Customers")])) },
            isRedacted: true
        ).objects("parts")
        #expect(try tables[2].objects("elements").map { $0["value"] } == ["Customers"])
        let refusal = RemotingException(className: "EDAException", message: "Customers: no such table")
        let exception = try MessageDocument.decode(ReplyMessage.encode(refusal, to: id).encoded(), isRedacted: true)
        #expect(try exception.objects("parts").map { $0["value"] } == ["EDAException", "Customers: no such table"])
    }

    @Test("decode rejects bytes that are not a message, and encode rejects a document that does not describe one")
    func refusals() throws {
        for text in ["", "RO107", "ROENVAES", "HTTP/1.1 200 OK and some more bytes"] {
            #expect(throws: RemotingError.self) { try MessageDocument.decode(ByteBuffer(string: text)) }
        }
        let good = try MessageDocument.decode(request("M") { $0.write(Int32(1)) })
        #expect(throws: Never.self) { try MessageDocument.encode(good) }
        let wrong: [(String, JSONValue?)] = [
            ("kind", "x"), ("kind", nil), ("clientID", "x"), ("reserved", "00"), ("parts", nil), ("parts", [1]),
            ("parts", [["type": "integer", "value": "x"]]), ("parts", [["type": "nothing"]]), ("parts", [["hex": "0"]]),
            ("parts", [["type": "variant", "code": "zz"]]), ("parts", [["type": "struct", "class": "T"]]),
            ("parts", [["type": "binary", "value": "xy"]]), ("parts", [["type": "array", "elements": 1]]),
        ]
        for (key, value) in wrong {
            var document = good
            document[key] = value
            #expect(throws: (any Error).self, "\(key)") { try MessageDocument.encode(document) }
        }
    }
}
