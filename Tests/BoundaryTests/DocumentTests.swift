// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Documents")
struct DocumentTests {
    @Test("docs/local-api.md names exactly the methods and errors of the interfaces")
    func localAPI() throws {
        let document = try Repository.text("docs/local-api.md")
        let errors = try #require(Self.section(of: document, under: "## Errors"))
        let listed = errors.matches(of: /(?m)^\| `([A-Z]\w+\.\w+)` \|/).map { String($0.1) }
        var declaredErrors: [String] = []
        for path in try Repository.files(in: "Sources/API/LocalAPI/Interfaces", ending: ".varlink") {
            let interface = path.split(separator: "/").last.map { String($0.dropLast(".varlink".count)) } ?? ""
            let section = try #require(Self.section(of: document, under: "## \(interface)"), "\(interface)")
            let rows = section.matches(of: /(?m)^\| `(\w+)` \|/).map { String($0.1) }
            let text = try Repository.text(path)
            let methods = text.matches(of: /(?m)^method (\w+)/).map { String($0.1) }
            #expect(!methods.isEmpty)
            #expect(Set(rows) == Set(methods), "\(interface)")
            let name = interface.split(separator: ".").last ?? ""
            declaredErrors += text.matches(of: /(?m)^error (\w+)/).map { "\(name).\($0.1)" }
        }
        #expect(declaredErrors.count > 50)
        #expect(listed.sorted() == declaredErrors.sorted())
    }

    @Test("docs/local-api.md names no undeclared error or member of an error")
    func mentionedErrors() throws {
        let document = try Repository.text("docs/local-api.md")
        let errors = try #require(Self.section(of: document, under: "## Errors"))
        var members: [Substring: Set<Substring>] = [:]
        for path in try Repository.files(in: "Sources/API/LocalAPI/Interfaces", ending: ".varlink") {
            let name = path.split(separator: ".").dropLast().last ?? ""
            // Within an error, the only parentheses before the end of the declaration are those of enums.
            for error in try Repository.text(path).matches(of: /(?m)^error (\w+) \(((?:[^()]|\([^()]*\))*)\)/) {
                let names = error.2.matches(of: /(?m)(?:^|,|\() *(\w+):\s/).map(\.1)
                members["\(name).\(error.1)"] = Set(names)
            }
        }
        for row in errors.matches(of: /(?m)^\| `([A-Z]\w+\.\w+)` \| ([^|]*)\|/) {
            let declared = try #require(members[row.1], "\(row.1)")
            #expect(declared.contains("message"), "\(row.1)")
            for member in declared where member != "message" {
                #expect(row.2.contains("`\(member)`"), "\(row.1) has \(member)")
            }
            #expect(row.2.isEmpty == (declared.count == 1), "\(row.1)")
        }
    }

    @Test("the man pages of relctl have every verb, and under it every option that is not global")
    func relctl() async throws {
        let pages = try Repository.files(in: "man").filter { $0.hasPrefix("man/relctl") }
        #expect(pages.count > 5, "the pages are found")
        let page = try pages.map { try Repository.text($0) }.joined().replacing("\\-", with: "-")
        let dump = try await Command([Products.path(of: "relctl"), "--experimental-dump-help"]).succeed()
        let root = try #require(try JSONValue(parsing: Array(dump.utf8)).objectValue).object("command")
        let verbs = try Self.verbs(of: root, path: ["relctl"])
        #expect(verbs.count > 15, "the verbs are found")
        let forAll = try #require(Self.section(of: page, under: ".SH OPTIONS"))
        for verb in verbs where verb.path != ["relctl", "help"] {
            let section = try #require(Self.section(of: page, naming: verb.path.joined(separator: " ")), "\(verb.path)")
            for option in verb.options {
                #expect(section.contains(option) || forAll.contains(option), "\(verb.path) has \(option)")
            }
        }
    }

    @Test("relativityd(8) has every option of relativityd")
    func relativityd() async throws {
        let page = try Repository.text("man/relativityd.8").replacing("\\-", with: "-")
        let help = try await Command([Products.path(of: "relativityd"), "--help"]).succeed()
        let options = Set(help.matches(of: /--[a-z-]+/).map(\.0))
        #expect(options.count > 2)
        for option in options { #expect(page.contains(option), "\(option)") }
    }

    @Test("relctl(1) has every exit status")
    func exitStatus() throws {
        let page = try Repository.text("man/relctl.1")
        let statuses = try Repository.text("Sources/API/LocalAPI/ExitStatus.swift").matches(of: /case \w+ = (\d+)/).map(
            \.1
        )
        #expect(statuses.count > 10)
        // 77 is a status of the helper alone.
        for status in statuses where status != "77" { #expect(page.contains("\n\(status)|"), "\(status)") }
    }

    @Test("relativityd.toml(5) has every table and key of the example, with its default")
    func configuration() throws {
        let page = try Repository.text("man/relativityd.toml.5").replacing("\\-", with: "-").replacing(
            "\\(dq",
            with: "\""
        )
        var table = Substring()
        var count = 0
        for line in try Repository.lines("config/relativityd.toml") {
            if let heading = line.firstMatch(of: /^\[(\w+)\]/) {
                table = try #require(Self.section(of: page, under: ".SH [\(heading.1)]"), "\(heading.1)")
            }
            guard let entry = line.firstMatch(of: /^#?(\w+) = (.+)$/) else { continue }
            count += 1
            let key = try #require(Self.section(of: String(table), under: ".B \(entry.1)", until: ".TP"), "\(entry.1)")
            #expect(key.contains("Default: \(entry.2)."), "\(entry.1)")
        }
        let source = try Repository.text("Sources/Core/Configuration/DaemonConfiguration.swift")
        let keys = source.matches(of: #/\.(?:strings|integer|seconds|words?|flag)\("/#)
        #expect(count == keys.count, "every key is there")
        // Keys without a default are comments.
        let example = try Repository.text("config/relativityd.toml")
        let paths = source.matches(of: #/\.path\("(\w+)"/#).map(\.1)
        #expect(paths.count > 1)
        for key in paths { #expect(example.contains("\n# \(key) = ") && page.contains("\n.B \(key)\n"), "\(key)") }
        // An environment variable can set the keys of each table that the program reads.
        let tables = source.matches(of: /reader\.table\("(\w+)"/).map(\.1)
        for table in tables { #expect(source.split(separator: "\"\(table)\"").count > 2, "\(table)") }
    }

    @Test(
        "relativityd.toml(5) and the example have every key of the tables of sources",
        arguments: ["DNSDomain", "Etcd", "Adapter", "ServiceType"]
    )
    func sources(table: String) throws {
        let source = try Repository.text("Sources/Core/Configuration/\(table)Configuration.swift")
        let example = try Repository.text("config/relativityd.toml")
        let page = try Repository.text("man/relativityd.toml.5").replacing("\\-", with: "-")
        let heading = try #require(
            ["DNSDomain": "dns_domain", "Etcd": "etcd", "Adapter": "adapter", "ServiceType": "service_type"][table]
        )
        let section = try #require(Self.section(of: page, under: ".SH [[\(heading)]]"))
        let networks: [Substring] = source.contains("table.networks()") ? ["addresses"] : []
        let read = /table\.(?:texts?|word|integer|service|loginPart|absolutePath)\("(\w+)"/
        let keys = source.matches(of: read).map(\.1) + networks
        #expect(keys.count > 2)
        #expect(example.contains("# [[\(heading)]]"))
        for key in keys {
            #expect(section.contains("\n.B \(key)\n"), "\(key)")
            #expect(example.contains("\n# \(key) = "), "\(key)")
        }
    }

    private struct Verb {
        let path: [String]
        let options: [String]
    }

    /// The verbs that have no subcommands.
    private static func verbs(of command: JSONObject, path: [String]) throws -> [Verb] {
        let subcommands = (try? command.objects("subcommands")) ?? []
        guard !subcommands.isEmpty else { return [Verb(path: path, options: try options(of: command))] }
        return try subcommands.flatMap { try verbs(of: $0, path: path + [try $0.string("commandName")]) }
    }

    /// Long names of the flags and options that help shows, except help and version, which every verb has.
    private static func options(of command: JSONObject) throws -> [String] {
        try ((try? command.objects("arguments")) ?? []).flatMap { argument -> [String] in
            guard try argument.bool("shouldDisplay") else { return [] }
            let names = (try? argument.objects("names")) ?? []
            return try names.filter { try $0.string("kind") == "long" }.map { "--" + (try $0.string("name")) }
        }.filter { $0 != "--help" && $0 != "--version" }
    }

    /// The text between a line with this beginning and the next line of the same kind.
    private static func section(of text: String, under heading: String, until next: String? = nil) -> Substring? {
        let next = next ?? String(heading.prefix { $0 != " " } + " ")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0 == heading }) else { return nil }
        let rest = lines[(start + 1)...]
        let end = rest.firstIndex { $0.hasPrefix(next) } ?? rest.endIndex
        return Substring(rest[..<end].joined(separator: "\n"))
    }

    /// The part of a manual page whose heading names a verb, alone or next to its short form.
    private static func section(of page: String, naming verb: String) -> Substring? {
        let headings = page.split(separator: "\n").filter { $0.hasPrefix(".SS ") }
        let heading = headings.first { heading in
            heading.dropFirst(4).split(separator: ", ").contains { $0 == verb || $0.hasPrefix(verb + " ") }
                || heading.dropFirst(4).contains("\(verb), ")
        }
        return heading.flatMap { section(of: page, under: String($0)) }
    }
}
