// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import Testing

@testable import Remoting

@Suite struct JSONMessageTests {
    private func text(_ buffer: ByteBuffer) -> String { String(buffer: buffer) }

    @Test("every value that JSON can represent survives a round trip, and is encoded the same", arguments: 0..<1000)
    func roundTrip(seed: Int) throws {
        var random = RandomValue(seed: UInt64(seed))
        let (type, value) = random.pair()
        let json = value.json(as: type, random.catalog)
        let parsed = try JSONValue(parsing: JSONText.bytes(of: ["v": json]).readableBytesView)
        let read = try RemotingValue(#require(parsed.objectValue?["v"]), as: type, random.catalog)
        // Variants of several widths and AnsiStrings that are not UTF-8 change when first encoded, and never again.
        let again = try RemotingValue(read.json(as: type, random.catalog), as: type, random.catalog)
        #expect(again == read)
        if Self.isExact(type) { #expect(read == value) }
    }

    private static func isExact(_ type: RemotingType) -> Bool {
        switch type {
        case .variant, .ansiString, .dateTime, .structure, .array: false
        default: true
        }
    }

    @Test("results are decoded with and without an object around them")
    func results() throws {
        let declared = [NamedType("Result", .boolean)]
        let wrapped = #"{"id":"{01234567-89ab-cdef-0123-456789abcdef}","result":{"Result":true}}"#
        for reply in [wrapped, #"{"result":true}"#, #"{"params":{"Result":true}}"#] {
            #expect(try JSONReply.values(of: ByteBuffer(string: reply), declared) == [.boolean(true)])
        }
        #expect(text(JSONReply.encode([NamedValue("Result", .boolean(true))], to: .example)) == wrapped)
        let bare = JSONReply.encode([NamedValue("Result", .boolean(true))], to: .example, isWrapped: false)
        #expect(text(bare) == #"{"id":"{01234567-89ab-cdef-0123-456789abcdef}","result":true}"#)
        #expect(try JSONReply.values(of: ByteBuffer(string: #"{"result":null}"#), []) == [])
        let two = declared + [NamedType("aName", .utf8String)]
        let reply = ByteBuffer(string: #"{"result":{"aName":"\u00e9\ud83d\ude00","Result":false}}"#)
        #expect(try JSONReply.values(of: reply, two) == [.boolean(false), .utf8String("é😀")])
    }

    @Test("a struct that has a field of the result's name is not mistaken for the object around it")
    func structs() throws {
        var catalog = StructCatalog()
        catalog.define("TOutcome", [.init("Result", .integer)])
        catalog.define("TMore", [.init("Result", .integer), .init("More", .utf8String)])
        let declared = [NamedType("Result", .structure("TOutcome"))]
        let more = #"{"More":"x","Result":7,"__type":"TMore"}"#
        for reply in [#"{"result":\#(more)}"#, #"{"result":{"Result":\#(more)}}"#] {
            let values = try JSONReply.values(of: ByteBuffer(string: reply), declared, catalog)
            #expect(
                values == [
                    .structure(
                        RemotingStruct("TMore", [.init("Result", .integer(7)), .init("More", .utf8String("x"))])
                    )
                ]
            )
            #expect(values[0].json(as: declared[0].type, catalog).text == more)
        }
        let unknown = ByteBuffer(string: #"{"result":{"__type":"TOther"}}"#)
        #expect(throws: RemotingError.malformed(reason: "struct of an unknown class")) {
            try JSONReply.values(of: unknown, declared, catalog)
        }
    }

    @Test("errors contain the class of the exception, its message, and the declared fields")
    func errors() throws {
        var catalog = StructCatalog()
        catalog.define("EStock", [.init("Left", .integer), .init("Article", .utf8String)])
        let stock = RemotingException(
            className: "EStock",
            message: "ü",
            fields: [.init("Article", .utf8String("x")), .init("Left", .integer(3))]
        )
        let encoded = JSONReply.encode(stock, to: .example)
        #expect(throws: RemotingError.exception(stock)) { try JSONReply.values(of: encoded, [], catalog) }
        #expect(throws: RemotingError.exception(RemotingException(className: "EStock", message: "ü"))) {
            try JSONReply.values(of: encoded, [])
        }
        let direct = ByteBuffer(string: #"{"error":{"name":"EROSessionNotFound","message":"gone"}}"#)
        let lost = RemotingException(className: "EROSessionNotFound", message: "gone")
        #expect(throws: RemotingError.exception(lost)) { try JSONReply.values(of: direct, []) }
    }

    @Test(
        "decoding rejects bytes that are not a request",
        arguments: [
            "", "[]", "{}", #"{"id":"x","method":"A.B"}"#,
            #"{"id":"{01234567-89ab-cdef-0123-456789abcdef}","method":"A"}"#,
            #"{"id":"{01234567-89ab-cdef-0123-456789abcdef}","method":"A.B","params":[]}"#,
            #"{"id":"{01234567-89ab-cdef-0123-456789abcdef}","method":"A.B","type":2}"#,
            #"{"id":"{01234567-89ab-cdef-0123-456789abcdef}","method":"A.B","a":1,"a":2}"#,
        ]
    )
    func refusals(text: String) {
        #expect(throws: RemotingError.self) { try JSONRequest(decoding: ByteBuffer(string: text)) }
    }

    @Test("size, depth and number of values are limited, and an envelope throws aesEnvelope")
    func bounds() {
        let request = ByteBuffer(string: #"{"id":"","method":"\#(String(repeating: "x", count: 100))"}"#)
        #expect(throws: RemotingError.tooLarge(limit: 50)) {
            try JSONRequest(decoding: request, limits: WireLimits(message: 50))
        }
        let deep = ByteBuffer(string: String(repeating: #"{"a":"#, count: 20))
        let wide = ByteBuffer(string: "{\"a\":[" + String(repeating: "0,", count: 100) + "0]}")
        for bytes in [deep, wide] {
            #expect(throws: RemotingError.self) {
                try JSONReply.values(of: bytes, [], limits: WireLimits(depth: 4, elements: 50))
            }
        }
        #expect(throws: RemotingError.aesEnvelope) { try JSONReply.values(of: ByteBuffer(string: "ROENVAES"), []) }
    }

    @Test(
        "decoding rejects values of another type",
        arguments: [
            (RemotingType.integer, JSONValue.integer(1 << 31)), (.integer, 1.5), (.boolean, 1), (.guid, "x"),
            (.binary, "a"), (.dateTime, "2020-13-01T00:00:00"), (.dateTime, "2020-01-01"), (.currency, "1.23456"),
            (.enumeration(names: ["A"]), "B"), (.array(of: .integer), .array(["x"])), (.utf8String, 1),
            (.variant, .object([:])),
        ]
    )
    func shapes(type: RemotingType, json: JSONValue) {
        #expect(throws: RemotingError.self) { try RemotingValue(json, as: type) }
    }

    @Test("a null string is decoded as empty", arguments: [RemotingType.ansiString, .utf8String, .wideString, .xml])
    func nullStrings(type: RemotingType) throws {
        #expect(try RemotingValue(.null, as: type) == RemotingValue("", as: type))
        #expect(throws: RemotingError.self) { try RemotingValue(.null, as: .guid) }
    }

    @Test(
        "times are written to the second, and read with an optional fraction and Z",
        arguments: [
            ("2020-01-02T03:04:05", 1_577_934_245_000), ("1970-01-01T00:00:00", 0),
            ("1899-12-30T00:00:00", -2_209_161_600_000),
            ("2000-02-29T23:59:59", 951_868_799_000), ("9999-12-31T23:59:59", 253_402_300_799_000),
        ] as [(String, Int64)]
    )
    func times(text: String, milliseconds: Int64) {
        #expect(DateTime(text)?.unixMilliseconds == milliseconds)
        #expect(DateTime(text)?.text == text)
        #expect(DateTime(text + ".250Z")?.unixMilliseconds == milliseconds + 250)
        #expect(DateTime(text + "Z")?.unixMilliseconds == milliseconds)
        for wrong in [text + ".", text + "+01:00", String(text.dropLast()), text + "ZZ"] {
            #expect(DateTime(wrong) == nil, "\(wrong)")
        }
    }
}
