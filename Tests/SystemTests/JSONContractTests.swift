// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import TestSupport
import Testing
import Varlink

@Suite("The documented JSON", .timeLimit(.minutes(2)))
struct JSONContractTests {
    /// A member as documented in docs/json-output.md: its name, whether it is always present, and its type.
    private struct Member {
        let name: String
        let isOptional: Bool
        let type: String?
    }

    private static let types: [String: [String]] = {
        var types: [String: [String]] = [:]
        for type in InterfaceText.all.compactMap({ try? VarlinkDescription(parsing: $0) }).flatMap(\.types) {
            if case .struct(let fields) = type.type { types[type.name] = fields.map(\.name) }
        }
        return types
    }()

    /// The rows of the document's table, by verb.
    private static func documented() throws -> [String: [Member]] {
        let document = TextFile.text(of: Sources.root + "/docs/json-output.md")
        var rows: [String: [Member]] = [:]
        for line in document.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.matches(of: /`([^`]+)`/).map { String($0.1) } }
            try #require(cells.filter { !$0.isEmpty }.count == 2, "\(line)")
            let members = try cells[1].flatMap { try Self.members($0) }
            for verb in cells[0] { rows[verb] = members }
        }
        return rows
    }

    private static func members(_ text: String) throws -> [Member] {
        let words = text.split(separator: " ").map(String.init)
        if words.count == 1, let fields = types[words[0]] {
            return fields.map { Member(name: $0, isOptional: false, type: nil) }
        }
        let isOptional = words[0].hasSuffix("?")
        let name = isOptional ? String(words[0].dropLast()) : words[0]
        return [Member(name: name, isOptional: isOptional, type: words.count > 1 ? words[1] : nil)]
    }

    @Test("each verb prints objects with exactly the documented members")
    func members() async throws {
        let documented = try Self.documented()
        let others = Set(["doctor", "default show", "default unset"])
        let short = VerbUse.all.map(\.verb).flatMap { verb in
            verb.hasPrefix("endpoint ") && VerbUse.longForm(of: String(verb.dropFirst(9))) == verb
                ? [verb, String(verb.dropFirst(9))] : [verb]
        }
        #expect(Set(documented.keys) == Set(short).union(others))
        try await VerbUse.each(atOnce: 4) { use in
            let run = try VerbRun(use)
            defer { run.end() }
            let printed = try await run(["--json", "--quiet"]).output
            let lines = printed.standardOutput.split(separator: "\n")
            let isStream = use.verb.hasSuffix(" watch")
            #expect(isStream ? lines.count > 1 : lines.count == 1, "\(use.verb): \(printed)")
            let members = try #require(documented[use.verb], "\(use.verb)")
            for line in lines { try Self.check(String(line), members, use.verb) }
            // Without --json the exit status is the same, and --quiet prints no notes.
            let quiet = try await run(["--quiet"]).output
            #expect(quiet.status == printed.status && !quiet.standardError.contains("relctl: note"), "\(quiet)")
        }
    }

    private static func check(_ line: String, _ members: [Member], _ verb: String) throws {
        let object = try #require(try JSONValue(parsing: line).objectValue, "\(verb): \(line)")
        #expect(object["schemaVersion"] == 1, "\(verb): \(line)")
        let names = Set(object.map(\.key)).subtracting(["schemaVersion"])
        #expect(names.isSubset(of: members.map(\.name)), "\(verb) prints \(names.sorted())")
        #expect(names.isSuperset(of: members.filter { !$0.isOptional }.map(\.name)), "\(verb) prints \(names.sorted())")
        for member in members {
            guard let type = member.type, let value = object[member.name] else { continue }
            let isList = type.hasPrefix("[]")
            let fields = try #require(types[isList ? String(type.dropFirst(2)) : type], "\(type)")
            let element = isList ? value.arrayValue?.first?.objectValue : value.objectValue
            #expect(element.map { Set($0.map(\.key)) } == Set(fields), "\(verb): \(member.name)")
        }
    }
}
