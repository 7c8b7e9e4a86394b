// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Services

@Suite struct DynamicWhereTests {
    private static let price = WhereExpression.binary(.greater, .field("Price"), .constant("20", type: "Integer"))

    private func expression(_ numbers: inout SeededRandom, depth: Int) -> WhereExpression {
        let texts = ["", "a", "<&>\"'", "\r\n\t", "é€😀", " x ", "]]>", "&amp;"]
        func text() -> String { texts[Int.random(in: texts.indices, using: &numbers)] }
        func inner() -> WhereExpression { expression(&numbers, depth: depth - 1) }
        switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &numbers) {
        case 0: return .constant(Bool.random(using: &numbers) ? text() : nil, type: text())
        case 1: return .field(text(), table: Bool.random(using: &numbers) ? text() : nil)
        case 2: return .null
        case 3: return .macro(text())
        case 4: return .parameter(text(), type: text(), size: Bool.random(using: &numbers) ? 7 : nil)
        case 5: return .list((0..<Int.random(in: 0...3, using: &numbers)).map { _ in inner() })
        case 6: return .unary(Bool.random(using: &numbers) ? WhereOperator(rawValue: text()) : nil, inner())
        case 7: return .binary(WhereOperator(rawValue: text()), inner(), inner())
        default: return .between(inner(), inner(), inner())
        }
    }

    @Test("conditions survive writing and parsing, including markup and line ends", arguments: 0..<200)
    func roundTrip(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let expression = expression(&numbers, depth: 5)
        let xml = try DynamicWhere.xml(expression)
        #expect(try DynamicWhere.expression(parsing: xml) == expression)
    }

    @Test("parsing rejects a text with changed characters, or returns a writable condition", arguments: 0..<200)
    func mutations(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        var bytes = Array(try DynamicWhere.xml(expression(&numbers, depth: 3)).utf8)
        for _ in 0..<Int.random(in: 1...3, using: &numbers) {
            let values = Array("<>&\"/= ax\0".utf8) + [0xC3, 0xFF]
            bytes[Int.random(in: bytes.indices, using: &numbers)] =
                values[Int.random(in: values.indices, using: &numbers)]
        }
        let xml = String(decoding: bytes, as: UTF8.self)
        guard let read = try? DynamicWhere.expression(parsing: xml) else { return }
        #expect(try DynamicWhere.expression(parsing: DynamicWhere.xml(read)) == read)
    }

    @Test("parsing ignores white space between elements, unknown attributes and an XML declaration")
    func lenience() throws {
        let xml = """
            <?xml version="1.0" encoding="utf-8"?>
            <query version="6.0">
              <where> <binaryoperation operator="Greater" note="x"><!-- no --><field>Price</field>
                <constant type="Integer" null="undefined">20</constant></binaryoperation>
              </where>
            </query>
            """
        #expect(try DynamicWhere.expression(parsing: xml) == Self.price)
    }

    @Test(
        "parsing rejects a text that is not a condition",
        arguments: [
            "", "<query/>", "<query><where/></query>", "<where><null/></where>", "<query><null/></query>",
            "<query><where><null/><null/></where></query>",
            "<query><where><null/></where><where><null/></where></query>",
            "<query><where><nothing/></where></query>", "<query><where>text<null/></where></query>",
            "<query><where><field>a<null/></field></where></query>",
            "<query><where><constant>a</constant></where></query>",
            "<query><where><binaryoperation operator='And'><null/></binaryoperation></where></query>",
            "<query><where><binaryoperation><null/><null/></binaryoperation></where></query>",
            "<query><where><between><null/><null/></between></where></query>",
            "<query><where><parameter type='a' size='x'>p</parameter></where></query>",
            "<query><where><unaryoperation operator='Not'/></where></query>", "<query><where><null/></where>",
            "<query><where><query><where><null/></where></query></where></query>",
        ]
    )
    func refusals(xml: String) {
        #expect {
            _ = try DynamicWhere.expression(parsing: xml)
        } throws: { error in
            if case .malformed = error as? WhereError { true } else { false }
        }
    }

    @Test("parsing expands no entities")
    func entities() {
        let xml = """
            <!DOCTYPE query [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;">]>
            <query><where><field>&b;</field></where></query>
            """
        #expect(throws: WhereError.malformed(reason: "a document type, which is not allowed", offset: 16)) {
            try DynamicWhere.expression(parsing: xml)
        }
    }

    @Test("depth, number of expressions and length are limited for reading and writing")
    func limits() throws {
        let xml = try DynamicWhere.xml(.unary(nil, Self.price))
        let exact = WhereLimits(bytes: xml.utf8.count, depth: 3, expressions: 4)
        #expect(try DynamicWhere.expression(parsing: xml, limits: exact) == .unary(nil, Self.price))
        let fields: [WritableKeyPath<WhereLimits, Int>] = [\.bytes, \.depth, \.expressions]
        for field in fields {
            var limits = exact
            limits[keyPath: field] -= 1
            #expect(throws: WhereError.self) { try DynamicWhere.expression(parsing: xml, limits: limits) }
            #expect(throws: WhereError.self) { try DynamicWhere.xml(.unary(nil, Self.price), limits: limits) }
        }
        var deep = Self.price
        for _ in 0..<100 { deep = .unary(nil, deep) }
        #expect(throws: WhereError.tooMany("levels", limit: 64)) { try DynamicWhere.xml(deep) }
    }

    @Test("writing rejects a character that XML cannot represent")
    func unwritable() {
        for text in ["\u{0}", "\u{1B}", "\u{FFFE}"] {
            #expect(throws: WhereError.unwritable) { try DynamicWhere.xml(.field(text)) }
            #expect(throws: WhereError.unwritable) { try DynamicWhere.xml(.constant("", type: text)) }
        }
    }
}
