// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@Suite("JSON parsing")
struct JSONParsingTests {
    @Test(
        "valid texts are parsed",
        arguments: [
            ("null", nil), (" \t\r\n true \n", true), ("false", false),
            ("0", 0), ("-0", 0), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(9223372036854775808)),
            ("-9223372036854775809", .number(-9223372036854775808)),
            ("1.0", 1.0), ("1e2", 100.0), ("1E+2", 100.0), ("-1.5e-3", -0.0015), ("-0.0", .number(-0.0)),
            ("1e-999", 0.0), ("0.1", 0.1), ("123456789012345678901234567890", 123456789012345678901234567890.0),
            (#""""#, ""), (#""a b""#, "a b"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u0000\u00e9\u20AC\ud83d\ude00""#, "\0é€😀"), (#""é€😀\#u{7F}""#, "é€😀\u{7F}"),
            (#""\uFFFF""#, "\u{FFFF}"),
            ("[]", []), ("[ ]", []), ("[1,[2 , 3]]", [1, [2, 3]]),
            ("{}", [:]), (#"{ "a" : 1 , "b" : { } }"#, ["a": 1, "b": [:]]), (#"{"":""}"#, ["": ""]),
        ] as [(String, JSONValue)]
    )
    func reads(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(
        "invalid texts are rejected with the offset",
        arguments: [
            ("", 0, .unexpectedEnd), (" ", 1, .unexpectedEnd), ("nul", 3, .unexpectedEnd), ("nulL", 3, .unexpectedByte),
            ("01", 1, .invalidNumber), ("-", 1, .unexpectedEnd), ("-a", 1, .invalidNumber), ("+1", 0, .unexpectedByte),
            ("1.", 2, .unexpectedEnd), ("1.e3", 2, .invalidNumber), (".5", 0, .unexpectedByte),
            ("1e", 2, .unexpectedEnd), ("1e+", 3, .unexpectedEnd), ("1e400", 0, .numberOutOfRange),
            ("-1e400", 0, .numberOutOfRange), ("NaN", 0, .unexpectedByte), ("0x1", 1, .trailingBytes),
            ("1 2", 2, .trailingBytes), ("{}}", 2, .trailingBytes), ("true\0", 4, .trailingBytes),
            ("[1,]", 3, .unexpectedByte), ("[,1]", 1, .unexpectedByte), ("[1 2]", 3, .unexpectedByte),
            ("[", 1, .unexpectedEnd), ("{", 1, .unexpectedEnd), ("{1:2}", 1, .unexpectedByte),
            (#"{"a" 1}"#, 5, .unexpectedByte), (#"{"a":1,}"#, 7, .unexpectedByte), (#"{"a":}"#, 5, .unexpectedByte),
            (#"{"a":1,"a":2}"#, 7, .duplicateKey), (#"{"a":1,"\u0061":2}"#, 7, .duplicateKey),
            (#"""#, 1, .unexpectedEnd), (#""\"#, 2, .unexpectedEnd), (#""\x""#, 2, .invalidEscape),
            (#""\u12g4""#, 5, .invalidEscape), (#""\u12"#, 5, .unexpectedEnd), ("\"\n\"", 1, .controlCharacter),
            (#""\n\#u{1}""#, 3, .controlCharacter), (#""\ud83d""#, 3, .loneSurrogate),
            (#""\ud83d\n""#, 3, .loneSurrogate), (#""\ud83d\ud83d""#, 3, .loneSurrogate),
            (#""\ude00""#, 3, .loneSurrogate),
            ("'a'", 0, .unexpectedByte), ("\u{FEFF}1", 0, .unexpectedByte), ("/**/1", 0, .unexpectedByte),
        ] as [(String, Int, JSONSyntaxError.Reason)]
    )
    func refuses(text: String, offset: Int, reason: JSONSyntaxError.Reason) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
        #expect(error.offset == offset)
        #expect(error.reason == reason)
    }

    @Test(
        "bytes that are not UTF-8 are rejected, with and without escapes in the string",
        arguments: [
            [0x80], [0xC3], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF0, 0x9F, 0x98], [0xFF],
        ] as [[UInt8]]
    )
    func invalidUTF8(bytes: [UInt8]) throws {
        for prefix in [[], Array(#"\n"#.utf8)] {
            let text = [UInt8(ascii: "\"")] + prefix + bytes + [UInt8(ascii: "\"")]
            let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
            #expect(error.reason == .invalidUTF8)
        }
    }

    @Test("limits are exact")
    func limits() throws {
        func parse(_ text: String, _ limits: JSONLimits) -> JSONSyntaxError.Reason? {
            do throws(JSONSyntaxError) {
                _ = try JSONValue(parsing: text, limits: limits)
                return nil
            } catch {
                return error.reason
            }
        }
        #expect(parse("[[1]]", JSONLimits(depth: 2)) == nil)
        #expect(parse(#"[{"a":[]}]"#, JSONLimits(depth: 2)) == .tooDeep)
        #expect(parse("1", JSONLimits(depth: 0)) == nil)
        #expect(parse("[1,2]", JSONLimits(values: 3)) == nil)
        #expect(parse("[1,2,3]", JSONLimits(values: 3)) == .tooManyValues)
        #expect(parse("12345", JSONLimits(bytes: 5)) == nil)
        #expect(parse("12345 ", JSONLimits(bytes: 5)) == .tooLong)
        for mark in ["\u{301}", "\u{f73}"] {
            let (two, three) = (String(repeating: mark, count: 2), String(repeating: mark, count: 3))
            #expect(parse(#"{"a\#(two)b\#(two)":"\#(two)"}"#, JSONLimits(marks: 2)) == nil)
            #expect(parse(#"{"a\#(three)":0}"#, JSONLimits(marks: 2)) == .tooManyMarks)
            #expect(parse(#""\n\#(three)""#, JSONLimits(marks: 2)) == .tooManyMarks)
        }
    }

    @Test("a million brackets do not overflow the stack")
    func deep() throws {
        for bracket in ["[", #"{"a":"#] {
            let text = String(repeating: bracket, count: 1_000_000 / bracket.utf8.count)
            let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
            #expect(error.reason == .tooDeep)
        }
    }

    @Test("a hundred thousand keys are parsed, and a duplicate at the end is found")
    func manyKeys() throws {
        let members = (0..<100_000).map { #""k\#($0)":0"# }.joined(separator: ",")
        let limits = JSONLimits(bytes: 4 << 20)
        #expect(try JSONValue(parsing: "{\(members)}", limits: limits).objectValue?.count == 100_000)
        let error = try #require(throws: JSONSyntaxError.self) {
            try JSONValue(parsing: #"{\#(members),"k0":0}"#, limits: limits)
        }
        #expect(error.reason == .duplicateKey)
    }

    @Test("all initialisers parse the same")
    func sources() throws {
        let text = #"{"a":[1,"é"]}"#
        let value: JSONValue = ["a": [1, "é"]]
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
        #expect(try JSONValue(parsing: Array(("xx" + text).utf8)[2...]) == value)
        #expect(try JSONValue(parsing: text.utf8.lazy.map { $0 }) == value)
        #expect(try Array(text.utf8).withUnsafeBytes { try JSONValue(parsing: $0) } == value)
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: UnsafeRawBufferPointer(start: nil, count: 0)) }
    }
}
