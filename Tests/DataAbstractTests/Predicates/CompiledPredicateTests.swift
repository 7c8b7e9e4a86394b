// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DataAbstract

@Suite struct CompiledPredicateTests {
    private static func matches(_ text: String, _ type: DataType, _ value: DataValue) throws -> Bool {
        let columns = [DataColumn("x", type), DataColumn("other", .largeInt)]
        let compiled = try CompiledPredicate(Expression(predicate: text), fields: columns)
        var table = try DataTable(name: "T", columns: columns)
        try table.append([value, .integer(7)])
        let results = [
            try compiled.matches([value, .integer(7)]), try compiled.indices(in: table.rows) == [0],
        ]
        #expect(Set(results).count == 1, "\(text) \(value)")
        return results[0]
    }

    private static let numbers: [(text: String, type: DataType, value: DataValue, isTrue: Bool)] = [
        ("x == 5.0", .integer, .integer(5), true), ("x == 5.5", .integer, .integer(5), false),
        ("x != 5.5", .integer, .integer(5), true), ("x > 5.5", .integer, .integer(6), true),
        ("x >= 5.5", .integer, .integer(5), false), ("x < 5.5", .integer, .integer(5), true),
        ("x < -5.5", .integer, .integer(-6), true), ("x <= -5.5", .integer, .integer(-5), false),
        ("x < 99999999999999999999", .integer, .integer(5), true),
        ("x > 99999999999999999999", .largeInt, .integer(5), false),
        ("x < 1e300", .largeInt, .integer(.max), true), ("x > -1e300", .largeUInt, .unsigned(0), true),
        ("x == 18446744073709551615", .largeUInt, .unsigned(.max), true),
        ("x > 9223372036854775807", .largeUInt, .unsigned(1 << 63), true),
        ("x >= 0", .largeUInt, .unsigned(.max), true), ("x < 0", .largeUInt, .unsigned(0), false),
        ("x == 9007199254740993", .float, .float(9_007_199_254_740_992), true),
        ("x == 0.1", .float, .float(0.1), true), ("x == 0.1", .singleFloat, .float(Double(Float(0.1))), true),
        ("x <= 0.1", .float, .float(0.1), true), ("x < 0.1", .float, .float(0.1), false),
        ("x < 1e39", .singleFloat, .float(Double(Float.greatestFiniteMagnitude)), true),
        ("x < 0", .float, .float(-0.0), false),
        ("x == 12.34", .currency, .currency(scaled: 123_400), true),
        ("x > 12.33999", .currency, .currency(scaled: 123_400), true),
        ("x == 12.34001", .currency, .currency(scaled: 123_400), false),
        ("x < 0", .currency, .currency(scaled: -1), true),
        ("x == 1.50", .decimal, DataDecimal("1.5").map { .decimal($0) } ?? .null, true),
        ("x < 0.1e0", .decimal, DataDecimal("0.1").map { .decimal($0) } ?? .null, true),
        (
            "x > 79228162514264337593543950334", .decimal,
            DataDecimal("79228162514264337593543950335").map { .decimal($0) } ?? .null, true
        ),
        ("x IN {1, 2.0, 7.5}", .decimal, DataDecimal("2").map { .decimal($0) } ?? .null, true),
        ("x IN {1, 2.0, 7.5}", .integer, .integer(2), true), ("x IN {0.1, 1}", .float, .float(0.1), true),
        ("x == 1", .boolean, .boolean(true), true), ("x == TRUE", .integer, .integer(1), true),
        ("x < TRUE", .boolean, .boolean(false), true),
        ("x == other", .float, .float(7), true), ("x > other", .currency, .currency(scaled: 70_001), true),
        ("x BETWEEN {2, 1}", .integer, .integer(1), false), ("x BETWEEN {1, 2}", .integer, .integer(2), true),
        ("x NOT BETWEEN {1, 2}", .integer, .integer(3), true),
        ("x == 2020-01-02", .dateTime, .dateTime(days: 43_832), true),
        ("x == '2020-01-02'", .dateTime, .dateTime(days: 43_832), true),
        ("x > '2020-01-02 12:00'", .dateTime, .dateTime(days: 43_832.5 + 1 / 86_400_000.0), true),
        ("x == 2020-01-02T12:00", .dateTime, .dateTime(days: 43_832.5 + 1e-10), true),
        ("x < 1899-12-30", .dateTime, .dateTime(days: -0.25), true),
        ("x == 0001-01-01", .dateTime, .dateTime(days: -693_593), true),
        ("x == '1753-01-01?-53688.25'", .dateTime, .dateTime(days: -53_688.25), true),
        ("x == 1753-01-01", .dateTime, .dateTime(days: -53_688.25), false),
        ("x > 9999-12-31", .dateTime, .dateTime(days: .infinity), true),
        ("x != 2020-01-02", .dateTime, .dateTime(days: .nan), false),
    ]

    @Test("numbers are compared by value across types", arguments: numbers.indices)
    func comparesNumbers(index: Int) throws {
        let (text, type, value, isTrue) = Self.numbers[index]
        #expect(try Self.matches(text, type, value) == isTrue, "\(text) \(value)")
    }

    private static let texts: [(text: String, value: String, isTrue: Bool)] = [
        ("x == 'é'", "é", true), ("x == 'é'", "e\u{301}", false), ("x != 'é'", "e\u{301}", true),
        ("x == 'a'", "a ", false),
        ("x < 'b'", "a\u{10FFFF}", true), ("x < '\u{FFFF}'", "😀", false), ("x > ''", "a", true),
        ("x <= 'a'", "a", true),
        ("x BEGINSWITH 'ab'", "abc", true), ("x BEGINSWITH ''", "", true), ("x BEGINSWITH 'abc'", "ab", false),
        ("x ENDSWITH '😀'", "a😀", true), ("x CONTAINS 'b'", "abc", true), ("x CONTAINS ''", "", true),
        ("x CONTAINS 'B'", "abc", false),
        ("x CONTAINS '\u{6200}'", "\u{61}\u{62}", false), ("x NOT CONTAINS 'b'", "abc", false),
        ("x NOT BEGINSWITH 'b'", "abc", true),
        ("x LIKE 'a*c'", "abbc", true), ("x LIKE 'a?c'", "a😀c", true), ("x LIKE 'a?c'", "abbc", false),
        ("x LIKE '*'", "", true),
        ("x LIKE '?*'", "", false), ("x LIKE '*b*b'", "abab", true), ("x LIKE '*aab'", "aaaab", true),
        ("x LIKE 'a\\*'", "a*", true),
        ("x LIKE 'a\\*'", "ab", false), ("x LIKE 'a\\\\'", "a\\", true), ("x LIKE 'a\\b'", "a\\b", true),
        ("x LIKE 'a\\'", "a\\", true),
        ("x LIKE '%*'", "a", false), ("x LIKE '%*'", "%a", true), ("x ==[c] 'STRASSE'", "straße", true),
        ("x ==[c] 'ÉA'", "éa", true),
        ("x ==[c] 'É'", "e\u{301}", false),
        ("x ==[d] 'e'", "e\u{301}", true), ("x ==[d] 'É'", "E", true), ("x ==[d] 'e'", "É", false),
        ("x ==[cd] 'eLEVE'", "Élève", true),
        ("x ==[cd] 'i'", "İ", true), ("x ==[c] 'σ'", "ς", true), ("x ==[d] 'カ'", "ガ", true),
        ("x ==[d] 'ø'", "o", false), ("x ==[cd] 'Ω'", "ώ", true),
        ("x CONTAINS[cd] 'BC'", "aḃć", true), ("x BEGINSWITH[c] 'ß'", "SSa", true), ("x ENDSWITH[d] 'e'", "é", true),
        ("x LIKE[cd] '*É?'", "xxel", true), ("x IN[c] {'A', 'B'}", "b", true), ("x NOT IN {'A'}", "a", true),
        ("x <[c] 'B'", "A", true),
        ("x !=[c] 'A'", "a", false), ("x ==[d] 'कि'", "कु", false),
        // Images that are longer than the character, shorter, or not of the code page.
        ("x ENDSWITH[c] 'ss'", "aß", true), ("x ==[c] 's'", "ß", false), ("x ==[c] 'as'", "aß", false),
        ("x ==[c] 'ass'", "aß", true), ("x ==[d] 'ae'", "ae\u{301}", true), ("x BEGINSWITH[c] 'µ'", "µa", true),
        ("x CONTAINS[c] 'k'", "a\u{212A}", true), ("x IN[c] {'µ', 'b'}", "B", true), ("x LIKE[c] '*B'", "ab", true),
        ("x LIKE '**'", "a", true), ("x LIKE 'ab'", "ab", true), ("x LIKE 'ab'", "abc", false),
    ]

    @Test("text is compared by Unicode scalars, and folded where asked", arguments: texts.indices)
    func comparesTexts(index: Int) throws {
        let (text, value, isTrue) = Self.texts[index]
        #expect(try Self.matches(text, .wideString, .text(value)) == isTrue, "\(text) \(value)")
        guard value.unicodeScalars.allSatisfy({ $0.value <= 0xFF }) else { return }
        #expect(try Self.matches(text, .string, .text(value)) == isTrue, "\(text) \(value) in 8 bits")
    }

    @Test(
        "a comparison with NULL or NaN is neither true nor false",
        arguments: [
            ("x == 1", false), ("NOT x == 1", false), ("x != 1", false), ("x == x", false), ("x < other", false),
            ("NOT x < other", false), ("x IN {1}", false), ("x NOT IN {1}", false), ("x IN {}", false),
            ("x NOT IN {}", false), ("x BETWEEN {1, 2}", false), ("x NOT BETWEEN {1, 2}", false),
            ("x == 1 OR other == 7", true), ("NOT (x == 1 OR other == 8)", false), ("x == 1 AND other == 7", false),
            ("NOT (x == 1 AND other == 7)", false), ("NOT (x == 1 AND other == 8)", true),
            ("other == 7 OR NOT (x == 1 AND other == 7)", true),
        ]
    )
    func unknown(text: String, isTrue: Bool) throws {
        #expect(try Self.matches(text, .float, .null) == isTrue)
        #expect(try Self.matches(text, .float, .float(.nan)) == isTrue)
        #expect(try Self.matches("x IS NULL", .float, .null) && !Self.matches("x IS NULL", .float, .float(.nan)))
    }

    @Test("a long list contains its values and no other")
    func longLists() throws {
        let evens = stride(from: 0, to: 100, by: 2)
        let numbers = "x IN {\(evens.map { "\($0)" }.joined(separator: ", "))}"
        let words = "x IN {\(evens.map { "'é\($0)'" }.joined(separator: ", "))}"
        for value in -1...100 {
            let isIn = value >= 0 && value < 100 && value % 2 == 0
            #expect(try Self.matches(numbers, .integer, .integer(Int64(value))) == isIn, "\(value)")
            #expect(try Self.matches(words, .wideString, .text("é\(value)")) == isIn, "\(value)")
            #expect(try Self.matches(words, .string, .text("é\(value)")) == isIn, "\(value)")
        }
    }

    @Test("a Guid is compared without case and braces")
    func guid() throws {
        let guid = DataValue.text("01234567-89AB-CDEF-0123-456789abcdef")
        #expect(try Self.matches("x == '{01234567-89ab-cdef-0123-456789ABCDEF}'", .guid, guid))
        #expect(try Self.matches("x BEGINSWITH '01234567-89ab'", .guid, guid))
        #expect(try !Self.matches("x != '01234567-89ab-cdef-0123-456789abcdef'", .guid, guid))
        for text in ["01234567-89ab-cdef-0123-456789abcdef", "{01234567-89AB-CDEF-0123-456789ABCDEF}"] {
            #expect(try Self.matches("x BETWEEN {'\(text)', '\(text)'}", .guid, guid), "\(text)")
            #expect(try !Self.matches("x NOT BETWEEN {'\(text)', '\(text)'}", .guid, guid), "\(text)")
        }
    }

    @Test("a field is found by its exact name first, then without regard to case")
    func fields() throws {
        let fields = [
            DataColumn("Id", .integer), DataColumn("id", .integer), DataColumn("Name", .string),
        ]
        #expect(
            try CompiledPredicate(Expression(predicate: "id == 1"), fields: fields).matches([
                .integer(0), .integer(1), .null,
            ])
        )
        #expect(
            try CompiledPredicate(Expression(predicate: "NAME == 'a'"), fields: fields).matches([
                .null, .null, .text("a"),
            ])
        )
        #expect(throws: PredicateError.ambiguousField("ID")) {
            try CompiledPredicate(Expression(predicate: "ID == 1"), fields: fields)
        }
        #expect(throws: PredicateError.unknownField(UnknownName("Nam", among: fields.map(\.name)))) {
            try CompiledPredicate(Expression(predicate: "Nam == 1"), fields: fields)
        }
    }

    @Test(
        "a literal of another class than the field's is an error",
        arguments: [
            ("x == 'a'", DataType.integer), ("x == 1", .string), ("x BEGINSWITH '1'", .integer),
            ("x == 'soon'", .dateTime),
            ("x == 1", .dateTime), ("x == 1", .blob), ("x IN {'a'}", .currency), ("x IN {}", .blob),
            ("x == TRUE", .wideString), ("x == other", .string),
            ("x == x", .unknown), ("x BETWEEN {1, 'a'}", .float), ("x LIKE 1", .string), ("x == 2020-01-01", .memo),
        ]
    )
    func mismatches(text: String, type: DataType) throws {
        let fields = [DataColumn("x", type), DataColumn("other", .integer)]
        let predicate = try Expression(predicate: text)
        do throws(PredicateError) {
            _ = try CompiledPredicate(predicate, fields: fields)
            Issue.record("\(text) is accepted")
        } catch {
            guard case .mismatch(field: "x", type: type, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
