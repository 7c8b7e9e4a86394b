// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@Suite("JSON serializing")
struct JSONSerializingTests {
    @Test(
        "values are written",
        arguments: [
            (nil, "null"), (true, "true"), (false, "false"), (7, "7"), (-12, "-12"),
            (.integer(.min), "-9223372036854775808"),
            (1.0, "1.0"), (.number(1e300), "1e+300"), (.number(.nan), "null"), (.number(-.infinity), "null"),
            ("a\"\\/\u{8}\u{C}\n\r\t\0\u{1F}\u{7F}é", #""a\"\\/\b\f\n\r\t\u0000\u001f\#u{7F}é""#),
            ([], "[]"), ([1, [nil]], "[1,[null]]"), ([:], "{}"), (["b": 1, "a": ["c": []]], #"{"b":1,"a":{"c":[]}}"#),
        ] as [(JSONValue, String)]
    )
    func writes(value: JSONValue, text: String) {
        #expect(value.text == text)
    }

    @Test("the pretty form has a line for each member")
    func pretty() {
        let value: JSONValue = ["a": [1, [:], []], "b": ["c": "d"]]
        let text = """
            {
              "a": [
                1,
                {},
                []
              ],
              "b": {
                "c": "d"
              }
            }
            """
        #expect(value.prettyText == text)
    }

    @Test("serialize appends to the bytes")
    func appends() {
        var bytes = Array("x".utf8)
        JSONValue.array([1]).serialize(into: &bytes)
        JSONObject().serialize(into: &bytes, style: .pretty)
        #expect(bytes == Array("x[1]{}".utf8))
    }
}
