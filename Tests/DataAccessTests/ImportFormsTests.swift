// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Platform
import Testing

@testable import DataAccess

@Suite("Forms of values in files to import")
struct ImportFormsTests {
    private static func value(
        _ text: String,
        _ type: DataType,
        _ change: (inout ImportForms) -> Void = { _ in }
    ) -> DataValue? {
        var forms = ImportForms()
        change(&forms)
        return forms.value(of: .text(text), as: type)
    }

    private static func time(_ text: String) throws -> DataValue {
        .dateTime(days: try #require(PredicateDate(text)).days)
    }

    @Test(
        "zeros at the end of a number and infinite numbers are taken, other digits are not",
        arguments: [
            ("1.0", .integer, .integer(1)), ("-20.00", .largeInt, .integer(-20)), ("1.5", .integer, nil),
            ("1.", .integer, nil), ("1.0x", .integer, nil), ("9223372036854775807.0", .largeInt, .integer(.max)),
            ("1.50000", .currency, .currency(scaled: 15_000)), ("1.00001", .currency, nil),
            ("inf", .float, .float(.infinity)), ("-Infinity", .singleFloat, .float(-.infinity)),
            ("1e999", .float, nil), ("infinit", .float, nil), ("1,5", .float, nil),
        ] as [(String, DataType, DataValue?)]
    )
    func numbers(text: String, type: DataType, value: DataValue?) {
        #expect(Self.value(text, type) == value)
    }

    @Test("Base64 may have line breaks and no padding")
    func blobs() {
        let canonical = Self.value("QUJDRA==", .blob)
        #expect(canonical != nil)
        for text in ["QUJDRA", "QU\r\nJD\nRA==\n"] { #expect(Self.value(text, .blob) == canonical, "\(text)") }
        for text in ["QUJDR", "QUJDRB", "QUJ=RA", "*"] { #expect(Self.value(text, .blob) == nil, "\(text)") }
    }

    @Test("a fraction of a second may have more zeros than milliseconds, and no other digits")
    func fractions() throws {
        for text in ["2024-01-01T00:00:00.000000", "2024-01-01 00:00:00.0000"] {
            #expect(try Self.value(text, .dateTime) == Self.time("2024-01-01"))
        }
        let expected = try Self.time("2024-01-01T00:00:00.120")
        #expect(Self.value("2024-01-01T00:00:00.1200000", .dateTime) == expected)
        for text in ["2024-01-01T00:00:00.1234", "2024-01-01T00:00:00.0000001", "2024-01-01T00:00:00.000 "] {
            #expect(Self.value(text, .dateTime) == nil, "\(text)")
        }
    }

    @Test("with a decimal comma a point is no part of a number, and other values are as before")
    func decimalComma() throws {
        let comma = { (forms: inout ImportForms) in forms.hasDecimalComma = true }
        #expect(Self.value("1,5", .float, comma) == .float(1.5))
        #expect(Self.value("-1,2500", .currency, comma) == .currency(scaled: -12_500))
        #expect(Self.value("7,0", .integer, comma) == .integer(7) && Self.value("7", .integer, comma) == .integer(7))
        for text in ["1.5", "1.234,5", "1,2,3"] { #expect(Self.value(text, .float, comma) == nil, "\(text)") }
        #expect(Self.value("1,5", .wideString, comma) == .text("1,5"))
        #expect(try Self.value("2024-01-01T00:00:00.5", .dateTime, comma) == Self.time("2024-01-01T00:00:00.500"))
    }

    @Test("a number has decimal digits", arguments: [DataType.float, .singleFloat, .currency, .decimal, .integer])
    func decimalDigits(_ type: DataType) {
        for text in ["0x10", "0x1p4", "-0x1.8p1", "nan(0x1)", "1e400"] {
            #expect(Self.value(text, type) == nil, "\(text)")
        }
        #expect(Self.value("16.0", type) != nil && Self.value("-1e1", type) != nil)
    }

    @Test(
        "a time with a zone is converted, or its zone is dropped, and neither without the option",
        arguments: [
            ("2024-01-01T00:30:00Z", "2024-01-01T00:30:00", "2024-01-01T01:30:00"),
            ("2024-01-01 00:30:00.500+02:00", "2024-01-01T00:30:00.500", "2023-12-31T23:30:00.500"),
            ("2024-03-01T00:00-0330", "2024-03-01T00:00:00", "2024-03-01T04:30:00"),
            ("2024-02-29T23:00:00.000000+00", "2024-02-29T23:00:00", "2024-03-01T00:00:00"),
        ]
    )
    func zones(text: String, dropped: String, converted: String) throws {
        #expect(Self.value(text, .dateTime) == nil && Self.value(text, .wideString) == .text(text))
        #expect(try Self.value(text, .dateTime) { $0.zone = .dropped } == Self.time(dropped))
        #expect(try Self.value(text, .dateTime) { $0.zone = .offset(seconds: 3_600) } == Self.time(converted))
        let local = try #require(PredicateDate(dropped))
        #expect(Self.value("\(local)", .dateTime) { $0.zone = .offset(seconds: 3_600) } == .dateTime(days: local.days))
    }

    @Test("a time whose conversion is no certain time is refused, and its zone may be dropped")
    func uncertainZones() throws {
        for (text, dropped) in [
            ("9999-12-31T23:30:00-01:00", "9999-12-31T23:30:00"), ("1753-01-01T00:00:00+01:00", "1753-01-01"),
        ] {
            #expect(Self.value(text, .dateTime) { $0.zone = .offset(seconds: 0) } == nil, "\(text)")
            #expect(try Self.value(text, .dateTime) { $0.zone = .dropped } == Self.time(dropped))
        }
    }

    @Test("what is no time zone is no part of a time")
    func invalidZones() {
        for zone in ["Q", "+1", "+24:00", "+01:60", "+1:00", "+01:0", "++1:00", "+01:00Z", "+٠١:٠٠", " Z"] {
            #expect(Self.value("2024-01-01T00:00:00\(zone)", .dateTime) { $0.zone = .dropped } == nil, "\(zone)")
        }
        #expect(Self.value("2024-01-01Z", .dateTime) { $0.zone = .dropped } == nil)
        #expect(Self.value("2024-13-01T00:00:00Z", .dateTime) { $0.zone = .dropped } == nil)
    }

    @Test("the option that makes a value of a text is named, if there is one")
    func advice() {
        let forms = ImportForms()
        #expect(forms.advice(on: "2024-01-01T00:00:00Z", as: .dateTime) == .zone)
        #expect(forms.advice(on: "yesterday", as: .dateTime) == nil)
        #expect(forms.advice(on: "1,5", as: .float) == .decimalComma)
        #expect(forms.advice(on: "1,5", as: .integer) == nil && forms.advice(on: "1.234,5", as: .float) == nil)
    }

    @Test("the names of an output find their fields again, also those with a suffix")
    func renamedFields() throws {
        let names = ["a", "A", "a_2", "b", "B_3"]
        let table = try EditableTable(name: "T", fields: names.map { EditableField($0, .wideString) })
        func found(_ heading: [String]) throws -> [String] {
            var records = try ImportRecords(of: table, match: [], ImportForms())
            let record = ImportRecord(line: 1, names: heading, values: heading.map { .text($0) })
            return try records.row(record).values.map { names[$0.column] }
        }
        for fields in [names, names.reversed(), ["a", "A"], ["a_2", "A", "a"], ["A"]] {
            var used: Set<NameKey> = []
            let output = fields.map { OutputColumns.unique($0, &used) }
            #expect(try found(output) == fields, "\(output)")
        }
        #expect(try found(["b_3"]) == ["B_3"])
        // The output of A and a, and that of A and a_2.
        #expect(throws: TableEditError.refused(table: "T", .ambiguousField("a_2"))) { try found(["A", "a_2"]) }
        let unknown = UnknownName("b_2", among: names)
        #expect(throws: TableEditError.refused(table: "T", .unknownField(unknown))) { try found(["b_2"]) }
    }
}
