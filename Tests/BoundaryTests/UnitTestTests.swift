// SPDX-License-Identifier: Apache-2.0

import Testing

/// `swift test` must run on any machine, as any user, with many tests at a time.
@Suite("Unit tests")
struct UnitTestTests {
    /// Targets that exist only when system tests are enabled.
    private static let systemTargets = ["CrashTests", "SampleServerTests", "SystemTests"]

    @Test("need no daemon, process, socket, worker thread or environment, and test no limit in real time")
    func needs() throws {
        let pattern =
            /\b(?:Requirement\.|LAN\.|ChildProcess\(|setenv\(|unsetenv\(|umask\(|MultiThreadedEventLoopGroup|NIOThreadPool\(|fastest\(|eventually\b|\.timeLimit\()/
        var count = 0
        for path in try Repository.files(in: "Tests", ending: "Tests.swift") where Self.isUnitTest(path) {
            let text = try Repository.text(path)
            guard text.contains("@Test") else { continue }
            count += 1
            guard path != "Tests/BoundaryTests/UnitTestTests.swift" else { continue }
            for match in text.matches(of: pattern) { Issue.record("\(path): \(match.0)") }
        }
        #expect(count > 80, "the tests are found")
    }

    @Test("are separated from the others by their folder, which the manifest excludes")
    func folders() throws {
        let manifest = try Repository.text("Package.swift")
        for path in try Repository.files(in: "Tests", ending: ".swift") where path.contains("/System/") {
            let target = path.split(separator: "/")[1]
            let name = target.hasSuffix("Tests") ? target.dropLast("Tests".count) : target
            let call = manifest.split(separator: "tests(").first { $0.contains("of: \"\(name)\"") }
            #expect(call?.contains("system: true") == true, "\(path)")
        }
        for target in Self.systemTargets {
            #expect(manifest.contains("\"\(target)\""), "\(target)")
        }
    }

    private static func isUnitTest(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return !parts.contains("System") && parts[1].hasSuffix("Tests") && !systemTargets.contains(String(parts[1]))
    }
}
