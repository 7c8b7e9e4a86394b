// SPDX-License-Identifier: Apache-2.0

import TestSupport
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

    @Test("what an element costs does not depend on how deep it stands and how long the names above it are")
    func deepNames() async {
        let names = (0..<30).map { "n\($0)" + String(repeating: "x", count: 20) }
        let open = names.map { "<\($0)>" }.joined()
        let xml = open + String(repeating: "<b/>", count: 100_000) + names.reversed().map { "</\($0)>" }.joined()
        // It took half a minute where each element had its path put together.
        var lines: [String]?
        let time = await fastest(below: .seconds(5), tries: 3) {
            ContinuousClock().measure { lines = XMLShape.lines(of: xml) }
        }
        #expect(lines?.count == 31 && lines?.last?.hasSuffix("(100000)") == true)
        #expect(time < .seconds(5))
    }
}
