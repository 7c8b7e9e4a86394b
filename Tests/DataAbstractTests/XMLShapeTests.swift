// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DataAbstract

@Suite struct XMLShapeTests {
    @Test("elements and attributes are told by name and number, and nothing of what they hold")
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

    @Test("what is no XML has no shape", arguments: ["", "plain", "<a>", "<a></b>"])
    func noXML(text: String) {
        #expect(XMLShape.lines(of: text) == nil)
    }

    @Test("depth, kinds and document types are bounded, and told of")
    func bounds() {
        let deep = String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)
        #expect(XMLShape.lines(of: deep)?.count == 33)
        let wide = "<r>" + (0..<1_000).map { "<a\($0)/>" }.joined() + "</r>"
        #expect(XMLShape.lines(of: wide)?.count == 257)
        let entities = "<!DOCTYPE a [<!ENTITY b 'x'>]><a>&b;</a>"
        #expect(XMLShape.lines(of: entities) == ["and more that was not read"])
    }
}
