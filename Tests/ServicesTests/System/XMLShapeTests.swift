// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Services

@Suite struct XMLShapeTests {
    @Test("the shape has the names and numbers of elements and attributes, without their content")
    func shape() {
        let xml = """
            <?xml version="1.0"?>
            <Schema Name="secret"><Tables><Table b="secret" a="1">secret</Table><Table a="2" b=""/><Table/></Tables></Schema>
            """
        #expect(
            XMLShape.lines(of: xml) == [
                "Schema @Name (1)", "Schema/Tables (1)", "Schema/Tables/Table @a @b (2)", "Schema/Tables/Table (1)",
            ]
        )
    }

    @Test("text that is not XML has no shape", arguments: ["", "plain", "<a>", "<a></b>"])
    func noXML(text: String) {
        #expect(XMLShape.lines(of: text) == nil)
    }

    @Test("depth, kinds and document types are limited, and the last line says so")
    func bounds() {
        let deep = String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)
        #expect(XMLShape.lines(of: deep)?.count == 33)
        let wide = "<r>" + (0..<1_000).map { "<a\($0)/>" }.joined() + "</r>"
        #expect(XMLShape.lines(of: wide)?.count == 257)
        let named = "<r>" + (0..<200).map { "<a\($0) \(attributes(100, of: 100))/>" }.joined() + "</r>"
        let lines = XMLShape.lines(of: named) ?? []
        #expect(lines.last == "and more that was not read")
        #expect(lines.allSatisfy { $0.utf8.count < 1_100 } && lines.joined().utf8.count < 20_000)
        let entities = "<!DOCTYPE a [<!ENTITY b 'x'>]><a>&b;</a>"
        #expect(XMLShape.lines(of: entities) == ["and more that was not read"])
    }

    private func attributes(_ count: Int, of length: Int) -> String {
        (0..<count).map { "n\($0)" + String(repeating: "x", count: length) + "=''" }.joined(separator: " ")
    }

    @Test("the cost of an element does not depend on its depth and the length of its path")
    func deepNames() async {
        let names = (0..<30).map { "n\($0)" + String(repeating: "x", count: 20) }
        let open = names.map { "<\($0)>" }.joined()
        let xml = open + String(repeating: "<b/>", count: 100_000) + names.reversed().map { "</\($0)>" }.joined()
        // Building the path for each element took half a minute.
        var lines: [String]?
        let time = await fastest(below: .seconds(5), tries: 3) {
            ContinuousClock().measure { lines = XMLShape.lines(of: xml) }
        }
        #expect(lines?.count == 31 && lines?.last?.hasSuffix("(100000)") == true)
        #expect(time < .seconds(5))
    }
}
