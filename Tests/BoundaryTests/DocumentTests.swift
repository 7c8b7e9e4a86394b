// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Documents")
struct DocumentTests {
    @Test("docs/local-api.md names every method and error of the interfaces, and no others")
    func localAPI() throws {
        let document = try Repository.text("docs/local-api.md")
        for path in try Repository.files(in: "Sources/LocalAPI/Interfaces", ending: ".varlink") {
            let interface = path.split(separator: "/").last.map { String($0.dropLast(".varlink".count)) } ?? ""
            let section = try #require(Self.section(of: document, under: "## \(interface)"), "\(interface)")
            let rows = Set(section.matches(of: /(?m)^\| `(\w+)` \|/).map { String($0.1) })
            let declared = try Repository.text(path).matches(of: /(?m)^(?:method|error) (\w+)/).map { String($0.1) }
            #expect(!declared.isEmpty)
            #expect(rows == Set(declared), "\(interface)")
        }
    }

    @Test("relctl(1) has every verb of relctl, and under it every option that is not for all")
    func relctl() async throws {
        let page = try Repository.text("man/relctl.1").replacing("\\-", with: "-")
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
        let statuses = try Repository.text("Sources/relctl/ExitStatus.swift").matches(of: /case \w+ = (\d+)/).map(\.1)
        #expect(statuses.count > 10)
        for status in statuses { #expect(page.contains("\n\(status)|"), "\(status)") }
    }

    @Test("docs/local-api.md gives each error the exit status that relctl has for it")
    func exitStatusOfErrors() throws {
        let document = try Repository.text("docs/local-api.md")
        let source = try Repository.text("Sources/relctl/ExitStatus.swift")
        let numbers = Dictionary(
            uniqueKeysWithValues: source.matches(of: /case (\w+) = (\d+)/).map { ($0.1, $0.2) }
        )
        var statuses: [Substring: Substring] = [:]
        for branch in source.matches(of: /case (\.[\w\s.,]+?):\s*self = \.(\w+)/) {
            for code in branch.1.matches(of: /\.(\w+)/) { statuses[code.1] = numbers[branch.2] }
        }
        let codes = try Repository.text("Sources/LocalAPI/APIErrorCode.swift")
            .matches(of: /case (\w+) = "([\w.]+)\.(\w+)"/)
        #expect(codes.count > 25)
        for code in codes {
            let section = try #require(Self.section(of: document, under: "## \(code.2)"), "\(code.2)")
            let row = section.split(separator: "\n").first { $0.hasPrefix("| `\(code.3)` |") }
            let status = try #require(statuses[code.1], "\(code.1)")
            #expect(row?.hasSuffix(" \(status) |") == true, "\(code.3) is \(status)")
        }
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
        let source = try Repository.text("Sources/Configuration/DaemonConfiguration+TOML.swift")
        let keys = source.matches(of: /table\.(?:strings|integer|seconds|words?|flag)\("/)
        #expect(count == keys.count, "every key is there")
    }

    @Test(
        "relativityd.toml(5) and the example have every key of the tables of sources",
        arguments: ["DNSDomain", "Etcd", "Adapter"]
    )
    func sources(table: String) throws {
        let source = try Repository.text("Sources/Configuration/\(table)Configuration.swift")
        let example = try Repository.text("config/relativityd.toml")
        let page = try Repository.text("man/relativityd.toml.5").replacing("\\-", with: "-")
        let heading = try #require(["DNSDomain": "dns_domain", "Etcd": "etcd", "Adapter": "adapter"][table])
        let section = try #require(Self.section(of: page, under: ".SH [[\(heading)]]"))
        let networks: [Substring] = source.contains("table.networks()") ? ["addresses"] : []
        let keys = source.matches(of: /table\.(?:texts?|word|integer)\("(\w+)"/).map(\.1) + networks
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

    /// The verbs without verbs of their own.
    private static func verbs(of command: JSONObject, path: [String]) throws -> [Verb] {
        let subcommands = (try? command.objects("subcommands")) ?? []
        guard !subcommands.isEmpty else { return [Verb(path: path, options: try options(of: command))] }
        return try subcommands.flatMap { try verbs(of: $0, path: path + [try $0.string("commandName")]) }
    }

    /// Long names of flags and options; help and version are everywhere.
    private static func options(of command: JSONObject) throws -> [String] {
        try ((try? command.objects("arguments")) ?? []).flatMap { argument -> [String] in
            let names = (try? argument.objects("names")) ?? []
            return try names.filter { try $0.string("kind") == "long" }.map { "--" + (try $0.string("name")) }
        }.filter { $0 != "--help" && $0 != "--version" }
    }

    /// What stands between a line that begins so and the next line of the same kind.
    private static func section(of text: String, under heading: String, until next: String? = nil) -> Substring? {
        let next = next ?? String(heading.prefix { $0 != " " } + " ")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0 == heading }) else { return nil }
        let rest = lines[(start + 1)...]
        let end = rest.firstIndex { $0.hasPrefix(next) } ?? rest.endIndex
        return Substring(rest[..<end].joined(separator: "\n"))
    }

    /// The part of a manual page whose heading names a verb, alone or beside its short form.
    private static func section(of page: String, naming verb: String) -> Substring? {
        let headings = page.split(separator: "\n").filter { $0.hasPrefix(".SS ") }
        let heading = headings.first { heading in
            heading.dropFirst(4).split(separator: ", ").contains { $0 == verb || $0.hasPrefix(verb + " ") }
                || heading.dropFirst(4).contains("\(verb), ")
        }
        return heading.flatMap { section(of: page, under: String($0)) }
    }
}
