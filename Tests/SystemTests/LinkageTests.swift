// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

/// Foundation and ICU cost megabytes of program, memory and start-up time. A package can add them unnoticed.
@Suite("Libraries of the programs")
struct LinkageTests {
    private struct Exception {
        let program: String
        let part: String
        let reason: String
    }

    private static let parts = ["FoundationEssentials", "FoundationInternationalization", "\0Foundation\0", "icudt"]

    private static let exceptions = [
        Exception(
            program: "relctl",
            part: "FoundationEssentials",
            reason: "Swift Argument Parser writes its description of all verbs with it"
        ),
        Exception(
            program: "relativity-sample-server",
            part: "FoundationEssentials",
            reason: "Swift Argument Parser, as in relctl"
        ),
    ]

    @Test(
        "include neither Foundation nor ICU, except in the listed programs",
        arguments: [
            "relativityd", "relativityd-secret-service", "relativityd-data", "relctl", "relativity-sample-server",
        ]
    )
    func foundation(program: String) {
        let bytes = TextFile.bytes(of: Products.path(of: program))
        #expect(Self.has("Glibc", in: bytes), "the names of modules are found")
        let found = Self.parts.filter { Self.has($0, in: bytes) }
        #expect(found == Self.exceptions.filter { $0.program == program }.map(\.part))
    }

    /// Modules that protect secrets, and those that decode what a server sends, by the programs that contain them.
    private static let boundaries = [
        ("Credentials", ["relativityd"]),
        ("DataAbstract", ["relativityd-data", "relativity-sample-server"]),
        ("DataAccess", ["relativityd-data"]),
        ("Prompts", ["relativityd"]),
    ]

    @Test("the vault is in the daemon alone, and no decoder of rows is", arguments: boundaries)
    func boundary(module: String, programs: [String]) {
        let all = [
            "relativityd", "relativityd-secret-service", "relativityd-data", "relctl", "relativity-sample-server",
        ]
        let found = all.filter { Self.has("\0\(module)\0", in: TextFile.bytes(of: Products.path(of: $0))) }
        #expect(found == programs)
    }

    private static func has(_ name: String, in bytes: [UInt8]) -> Bool {
        let name = Array(name.utf8)
        return bytes.withUnsafeBytes { bytes in name.withUnsafeBytes { ByteSearch.contains(bytes, $0) } }
    }
}
