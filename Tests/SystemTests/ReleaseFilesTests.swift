// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

/// The files of each released version, as `Tests/Tools/record_release.py` recorded them in `Tests/Releases`, with the
/// programs of today.
@Suite(
    "Files of released versions",
    .serialized,
    .enabled(
        if: Requirement.allMet([.root, .program("systemd-socket-activate"), .program("sed")]),
        "needs root, whose the administrator's files are"
    ),
    .timeLimit(.minutes(5))
)
struct ReleaseFilesTests {
    private static let folder = Sources.root + "/Tests/Releases"
    static let releases = DirectoryListing.names(in: folder)
    /// The port of the server in the recorded files.
    private static let port = 7_199

    @Test("there is a folder for a release")
    func exists() { #expect(Self.releases.contains("0.2.0")) }

    @Test("everything that a released version has stored is there", arguments: releases)
    func opens(release: String) async throws {
        let deployment = try await Self.home(of: release)
        try await deployment.startServer(port: Self.port)
        try await Self.daemon(deployment)
        for provider in ["key-file", "passphrase"] {
            try await deployment.success("vault", "lock")
            let arguments = ["vault", "unlock", "--provider", provider] + (provider == "passphrase" ? ["--stdin"] : [])
            let unlocked = try await deployment.relctl(arguments, input: Deployment.passphrase + "\n")
            #expect(unlocked.status == 0, "\(provider): \(unlocked)")
        }
        let helper = try await DataHelper(deployment)
        let client = try helper.connect()
        let recorded = TextFile.text(of: "\(Self.folder)/\(release)/expected.json")
        let steps = try #require(try JSONValue(parsing: recorded).arrayValue)
        #expect(steps.count > 20)
        for step in try steps.map({ try #require($0.objectValue) }) {
            let reply: JSONValue
            let name: String
            if let command = step["command"]?.arrayValue?.compactMap(\.stringValue) {
                name = command.joined(separator: " ")
                let arguments = command.map { $0.replacing("@HOME@", with: deployment.home.path) } + ["--json"]
                let output = try await deployment.relctl(arguments)
                try #require(output.status == 0, "\(name): \(output)")
                reply = try JSONValue(parsing: output.standardOutput)
            } else {
                name = try step.string("call")
                reply = .object(try client.call(name, try step.object("parameters")).object("parameters"))
            }
            let expected = try #require(step["expected"])
            let missing = Self.missing(expected, in: reply, at: name, home: deployment.home.path)
            #expect(missing.isEmpty, "\(missing.joined(separator: "\n"))")
        }
    }

    @Test("the files that a released version has installed are removed", arguments: releases)
    func uninstalled(release: String) async throws {
        let home = TemporaryDirectory()
        let script = """
            sed -n "s|^d |$1/tree|p" "$2" | xargs mkdir -p
            sed -n "s|^f |$1/tree|p" "$2" | xargs touch
            test "$(find "$1/tree" -type f | wc -l)" -gt 20
            cp "$2" "$1/tree/usr/local/lib/relativityd/installed"
            HOME="$1" DESTDIR="$1/tree" PREFIX=/usr/local "$3" >/dev/null
            find "$1/tree" -type f
            """
        let left = try await Command([
            "bash", "-ec", script, "bash", home.path, "\(Self.folder)/\(release)/installed",
            Sources.root + "/scripts/uninstall.sh",
        ]).succeed()
        #expect(left.isEmpty, "\(left)")
    }

    @Test("a file of a later version is refused, and not changed", arguments: LaterFile.allCases)
    func later(file: LaterFile) async throws {
        let deployment = try await Self.home(of: try #require(Self.releases.last))
        let path = file.path
        let changed = file.changed(deployment.home.content(of: path))
        #expect(changed != deployment.home.content(of: path))
        deployment.home.write(changed, to: path)
        let daemon = try await Self.daemon(deployment)
        for command in file.refused {
            let arguments = command.map { $0.replacing("@HOME@", with: deployment.home.path) }
            let output = try await deployment.relctl(arguments, input: Deployment.passphrase + "\n")
            #expect(output.status != 0 && output.standardError.contains(file.words), "\(command): \(output)")
        }
        try await daemon.end()
        #expect(deployment.home.content(of: path) == changed)
    }

    /// A copy of the files in a home, with the modes that the programs require.
    private static func home(of release: String) async throws -> Deployment {
        let deployment = Deployment()
        let script = """
            for folder in config endpoints.d data state work; do cp -R "$1/$folder" "$2"; done
            find "$2" -type d -exec chmod 700 {} +
            find "$2" -type f -exec chmod 600 {} +
            find "$2" -name '*.toml' -exec sed -i "s|@HOME@|$2|g" {} +
            """
        try await Command(["sh", "-ec", script, "sh", "\(folder)/\(release)", deployment.home.path]).succeed()
        return deployment
    }

    @discardableResult
    private static func daemon(_ deployment: Deployment) async throws -> Supervised {
        try await deployment.startDaemon(options: ["--endpoints", deployment.home.path(of: "endpoints.d")])
    }

    /// What a reply lacks of a recorded one. It may have more members, and more lines of the audit log.
    private static func missing(_ expected: JSONValue, in reply: JSONValue?, at place: String, home: String) -> [String]
    {
        switch (expected, reply) {
        case (.object(let members), .object(let found)):
            return members.flatMap { missing($0.value, in: found[$0.key], at: "\(place).\($0.key)", home: home) }
        case (.array(let elements), .array(let found)):
            guard elements.count == found.count || place.hasSuffix(".lines") && elements.count < found.count else {
                return ["\(place): \(found.count) elements, \(elements.count) recorded"]
            }
            return zip(elements, found).enumerated().flatMap { index, pair in
                missing(pair.0, in: pair.1, at: "\(place)[\(index)]", home: home)
            }
        default:
            let recorded = expected.stringValue.map { .string($0.replacing("@HOME@", with: home)) } ?? expected
            return reply == recorded ? [] : ["\(place): not \(recorded.text) but \(reply?.text ?? "nothing")"]
        }
    }
}

/// A file with the number of its format, which a later version increases.
enum LaterFile: CaseIterable {
    case vault, endpoints, pending

    var path: String {
        switch self {
        case .vault: "data/relativityd/vault.rcv"
        case .endpoints: "data/relativityd/endpoints.json"
        case .pending: "work/changes.pending"
        }
    }

    func changed(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .vault:
            // The major version, after the magic.
            return Array(bytes[..<8]) + [bytes[8] + 1] + Array(bytes[9...])
        case .endpoints:
            let text = String(decoding: bytes, as: UTF8.self)
            return Array(text.replacing("\"version\": 1", with: "\"version\": 2").utf8)
        case .pending:
            let signature = Array("relativityd pending changes ".utf8)
            return signature + [UInt8(ascii: "2")] + Array(bytes[(signature.count + 1)...])
        }
    }

    /// Commands that need the file, or would change it.
    var refused: [[String]] {
        switch self {
        case .vault:
            [
                ["vault", "unlock", "--passphrase-stdin"],
                ["vault", "init", "--provider", "passphrase", "--passphrase-stdin"],
            ]
        case .endpoints: [["add", "new", "127.0.0.1:7001"], ["hide", "head office"]]
        case .pending:
            [
                ["table", "pending", "list", "@HOME@/work/changes.pending"],
                ["table", "pending", "drop", "@HOME@/work/changes.pending"],
            ]
        }
    }

    /// Words of the error.
    var words: String {
        switch self {
        case .vault: "vault"
        case .endpoints: "version"
        case .pending: "changes.pending"
        }
    }
}
