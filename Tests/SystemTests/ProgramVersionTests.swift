// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Platform
import TestSupport
import Testing

@Suite("--version") struct ProgramVersionTests {
    private static let programs = [
        "relctl", "relativityd", "relativityd-data", "relativityd-secret-service", "relativity-sample-server",
    ]

    /// The libraries that are loaded, by the beginning of their files.
    private static let files = [
        "libcrypto.so": "libcrypto", "libavahi-client.so": "libavahi-client", "libdbus-1.so": "libdbus",
        "libexpat.so": "expat", "libz.so": "zlib", "libsqlite3.so": "SQLite", "libsecret-1.so": "libsecret",
    ]

    /// The libraries that are compiled in, by the name of one of their modules or functions in a program's file.
    private static let modules = [
        "NIOCore": "swift-nio", "DequeModule": "swift-collections", "Atomics": "swift-atomics",
        "NIOSSL": "swift-nio-ssl", "ArgumentParser": "swift-argument-parser", "SystemPackage": "swift-system",
        "Logging": "swift-log", "CNIOBoringSSL": "BoringSSL", "toml++": "toml++",
    ]

    private static func output(_ words: [String]) async throws -> String {
        let output = try await Command([Products.path(of: words[0])] + words.dropFirst()).run()
        #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
        return output.standardOutput
    }

    @Test(
        "without /proc, every program exits with an error, because it cannot read its arguments",
        .enabled(if: Requirement.allMet([.root]), "needs root"),
        arguments: programs
    )
    func noProc(program: String) async throws {
        let script = "umount -l /proc && exec '\(Products.path(of: program))' list"
        let output = try await Command(["unshare", "--mount", "sh", "-c", script]).run()
        #expect(output.status == 71 && output.standardOutput.isEmpty, "\(output)")
        #expect(output.standardError.contains("/proc is not mounted"))
    }

    @Test("prints the version on the first line, then the libraries", arguments: programs)
    func text(program: String) async throws {
        let lines = try await Self.output([program, "--version"]).split(separator: "\n")
        #expect(lines.first == "\(program) \(ProjectVersion.text)")
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  ") })
        let hasCrypto = !["relctl", "relativityd-secret-service"].contains(program)
        #expect(lines.contains { $0.hasPrefix("  libcrypto 3.") } == hasCrypto, "\(lines)")
    }

    @Test("with --json names the libraries that the program contains, and no others", arguments: programs)
    func libraries(program: String) async throws {
        let printed = try await Self.output([program, "--version", "--json"])
        #expect(try await Self.output([program, "--json", "--version"]) == printed)
        let object = try #require(try JSONValue(parsing: printed).objectValue)
        #expect(object["program"]?.stringValue == program && object["version"]?.stringValue == ProjectVersion.text)
        let libraries = try #require(object["libraries"]?.arrayValue).compactMap(\.objectValue)
        // avahi-client and libsecret have no function for their version.
        let silent = libraries.filter { $0["version"] == nil }.compactMap { $0["name"]?.stringValue }
        #expect(Set(silent).isSubset(of: ["libavahi-client", "libsecret"]))

        let (loaded, compiledIn) = (libraries.filter { $0["file"] != nil }, libraries.filter { $0["file"] == nil })
        let ldd = try await Command(["/usr/bin/ldd", Products.path(of: program)]).run().standardOutput
        let expected = Self.files.filter { ldd.contains("\t\($0.key)") }.map(\.value)
        #expect(loaded.compactMap { $0["name"]?.stringValue }.sorted() == expected.sorted())

        let bytes = TextFile.bytes(of: Products.path(of: program))
        let found = Self.modules.filter { name, _ in
            // relctl names toml++ in no message: only programs that parse with it contain its namespace.
            let marker = Array((name == "toml++" ? "N4toml2v3" : name).utf8)
            return bytes.withUnsafeBytes { bytes in marker.withUnsafeBytes { ByteSearch.contains(bytes, $0) } }
        }
        #expect(compiledIn.compactMap { $0["name"]?.stringValue }.sorted() == found.map(\.value).sorted())
    }

    @Test("names the vault's format and the interfaces that the program serves")
    func formats() async throws {
        let daemon = try JSONValue(parsing: await Self.output(["relativityd", "--version", "--json"])).objectValue
        #expect(daemon?["vaultFormat"]?.stringValue?.contains(/^2\.\d+$/) == true)
        let names = (daemon?["interfaces"]?.arrayValue ?? []).compactMap(\.stringValue)
        let helper = try JSONValue(parsing: await Self.output(["relativityd-data", "--version", "--json"])).objectValue
        #expect(helper?["interfaces"]?.arrayValue == ["org.relativityd.Data"])
        let described = (InterfaceText.all + [InterfaceText.adapters]).compactMap { text in
            text.split(separator: "\n").first { $0.hasPrefix("interface ") }?.dropFirst("interface ".count)
        }
        #expect(Set(names) == Set(described.map(String.init)) && names.count == 6)
    }
}
