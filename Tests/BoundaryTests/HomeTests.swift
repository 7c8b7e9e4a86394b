// SPDX-License-Identifier: Apache-2.0

import Testing

/// The table "Where a rule lives" of ARCHITECTURE.md, as far as text can show that a rule is applied outside of its home.
@Suite("One home for each rule")
struct HomeTests {
    struct Rule: Sendable, CustomTestStringConvertible {
        let name: String
        /// Where it is looked for, as beginnings of paths below Sources.
        var scope = [""]
        /// What only the code of the rule has.
        let marks: [String]
        /// Where it may be, as beginnings of paths below Sources.
        let homes: [String]

        var testDescription: String { name }
    }

    private static let rules = [
        Rule(
            name: "which login is used",
            marks: ["= endpoint.defaultLogin", "DefaultLogin.read("],
            homes: ["Core/Broker/Authorisation/Login", "Programs/relctl/Input/ChosenLogin.swift"]
        ),
        Rule(
            name: "which field or table a name means",
            scope: ["Relativity/DataA", "Relativity/TableBrowser", "Programs/relativityd-data"],
            marks: ["name.lowercased()"],
            // Names of elements of a schema.
            homes: ["Relativity/DataAbstract/Schema/SchemaReader.swift"]
        ),
        Rule(
            name: "the grammar of conditions and expressions",
            marks: ["ExpressionParser("],
            homes: ["Relativity/DataAbstract/Language/"]
        ),
        Rule(
            name: "the format of an extension",
            marks: ["\".tsv\"", "\".bin2\""],
            homes: ["API/LocalAPI/Jobs/NamedFormat.swift"]
        ),
        Rule(name: "the limits of a statement", marks: ["sqlite3_limit("], homes: ["Base/SQLite/"]),
        Rule(
            name: "8-bit text and its code page",
            marks: ["age.units"],
            homes: [
                "Relativity/Services/Values/", "Relativity/DataAbstract/Tables/",
                "Relativity/DataAccess/Formats/TextBuffer+Text.swift",
            ]
        ),
        Rule(
            name: "the text of a login",
            marks: ["LoginString("],
            homes: ["Relativity/Services/Login/", "Core/Broker/Sessions/LoginCall.swift"]
        ),
    ]

    @Test("is the only place that applies it", arguments: rules)
    func home(rule: Rule) throws {
        var isFound = false
        for line in try SourceLine.all(in: "Sources") {
            let path = line.path.dropFirst("Sources/".count)
            guard rule.scope.contains(where: { path.hasPrefix($0) }),
                rule.marks.contains(where: { line.text.contains($0) })
            else { continue }
            isFound = true
            #expect(rule.homes.contains { path.hasPrefix($0) }, "\(line.place): \(line.text)")
        }
        #expect(isFound)
    }
}
