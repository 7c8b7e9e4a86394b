// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Packages")
struct DependencyTests {
    /// The versions of the packages of a release, by the last part of their address.
    private static func versions() throws -> [String: String] {
        let lines = try Repository.lines("scripts/packages.txt").map { $0.split(separator: " ") }
        let packages = lines.filter { $0.count == 2 }.map { (String($0[0]).name, String($0[1])) }
        return Dictionary(uniqueKeysWithValues: packages)
    }

    @Test("a package is named with its minimum version, and the list of a release has a version that satisfies it")
    func ranges() throws {
        let manifest = try Repository.text("Package.swift")
        let packages = manifest.matches(of: /\.package\(url: "([^"]+)", (\w+): "(\d+)\.(\d+)\.(\d+)"\)/)
        #expect(packages.count == manifest.matches(of: /\.package\(/).count && packages.count >= 4)
        let versions = try Self.versions()
        for package in packages {
            let name = String(package.1).name
            #expect(package.2 == "from", "\(name)")
            let least = [package.3, package.4, package.5].compactMap { Int($0) }
            let version = (versions[name] ?? "").split(separator: ".").compactMap { Int($0) }
            #expect(version.count == 3 && version.first == least.first, "\(name)")
            #expect(!version.lexicographicallyPrecedes(least), "\(name)")
        }
    }

    @Test("--version prints the packages of a release and BoringSSL's commit: run 'make generate'")
    func printed() throws {
        let text = try Repository.text("Sources/Base/Platform/Versions/Generated/PackageVersions.swift")
        let printed = text.matches(of: /"([^"]+)": "([^"]+)"/).map { (String($0.1), String($0.2)) }
        #expect(try Dictionary(uniqueKeysWithValues: printed) == Self.versions())
        // The sources are the ones that the build uses.
        let source = try Repository.text(".build/checkouts/swift-nio-ssl/Package.swift")
        let commit = try #require(source.firstMatch(of: /BoringSSL Commit: ([0-9a-f]{40})/))
        #expect(text.contains("boringSSL = \"\(commit.1)\""))
    }

    @Test("SECURITY.md says for each package of a release, with its version, how fast a release follows an advisory")
    func advisories() throws {
        let rows = try Repository.lines("SECURITY.md").filter { $0.hasPrefix("| swift-") }
            .map { $0.split(separator: "|").map { $0.trimming(" ") } }
        let listed = rows.map { ($0[0].split(separator: ",").first.map(String.init) ?? "", String($0[1])) }
        #expect(try Dictionary(uniqueKeysWithValues: listed) == Self.versions())
        #expect(rows.allSatisfy { $0.count == 4 && !$0[2].isEmpty })
    }

    @Test("THIRD-PARTY-LICENSES.md lists each package of a release with its version")
    func licences() throws {
        let rows = try Repository.lines("THIRD-PARTY-LICENSES.md").filter { $0.hasPrefix("| [") }
        let versions = try Self.versions()
        #expect(versions.count >= 7)
        for (name, version) in versions {
            let row = rows.first { $0.contains("/\(name))") }
            #expect(row?.contains("| \(version) |") == true, "\(name) \(version)")
        }
    }
}

extension String {
    /// The last part of a package's address.
    fileprivate var name: String {
        let last = split(separator: "/").last.map(String.init) ?? ""
        return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    }
}
