// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@testable import Remoting

@Suite struct ValueJSONTests {
    @Test("every value that JSON can represent survives a round trip, and is encoded the same", arguments: 0..<1000)
    func roundTrip(seed: Int) throws {
        var random = RandomValue(seed: UInt64(seed))
        let (type, value) = random.pair()
        let json = value.json(as: type, random.catalog)
        let parsed = try JSONValue(parsing: json.text)
        let read = try RemotingValue(parsed, as: type, random.catalog)
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

    @Test("the class in an object overrides the declared one, and an unknown class is rejected")
    func structs() throws {
        var catalog = StructCatalog()
        catalog.define("TOutcome", [.init("Result", .integer)])
        catalog.define("TMore", [.init("Result", .integer), .init("More", .utf8String)])
        let more = #"{"More":"x","Result":7,"__type":"TMore"}"#
        let value = try RemotingValue(JSONValue(parsing: more), as: .structure("TOutcome"), catalog)
        let fields = [NamedValue("Result", .integer(7)), NamedValue("More", .utf8String("x"))]
        #expect(value == .structure(RemotingStruct("TMore", fields)))
        #expect(value.json(as: .structure("TOutcome"), catalog).text == more)
        #expect(throws: RemotingError.malformed(reason: "struct of an unknown class")) {
            try RemotingValue(["__type": "TOther"], as: .structure("TOutcome"), catalog)
        }
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

    @Test(
        "a day that does not exist and a time that is not certain are rejected",
        arguments: ["2021-02-30", "2021-02-29", "1900-02-29", "2021-04-31", "1850-01-01"]
    )
    func wrongTimes(day: String) {
        #expect(throws: RemotingError.self) { try RemotingValue(.string("\(day)T12:00:00"), as: .dateTime) }
    }
}
