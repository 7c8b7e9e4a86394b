// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite(
    "The daemon's memory",
    .enabled(
        if: Requirement.allMet([.root, .program("setpriv"), .program("prlimit"), .program(Sources.python)]),
        "needs root, util-linux and scripts/python-env.sh"
    ),
    .timeLimit(.minutes(2))
)
struct MemoryTests {
    /// An ordinary user, without an entry in the user database.
    private static let user: uid_t = 12_345
    private static let asUser = ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--"]
    private static let tools = Sources.root + "/Tests/Tools"
    /// Numbers of memfd_secret, mlock and mlock2 (x86-64; memfd_secret has the same everywhere).
    private static let memfdSecret = "447"
    #if arch(x86_64)
        private static let locking = "149,325"
    #else
        private static let locking = "228,284"
    #endif

    enum Guard: CaseIterable {
        case best, lockedOnly, refused, limited

        var command: [String] {
            switch self {
            case .best: []
            case .lockedOnly: [Sources.python, tools + "/refuse_calls.py", memfdSecret]
            case .refused: [Sources.python, tools + "/refuse_calls.py", "\(memfdSecret),\(locking)"]
            // Root may lock memory without a limit, another user may not.
            case .limited: ["prlimit", "--memlock=0:0"] + asUser
            }
        }

        var memory: [String] {
            switch self {
            case .best: ["memfd_secret", "mlock"]
            case .lockedOnly: ["mlock"]
            case .refused, .limited: ["swappable"]
            }
        }
    }

    @Test(
        "protections that the kernel refuses are reported with the reason, and the vault works anyway",
        arguments: Guard.allCases
    )
    func fallbacks(kind: Guard) async throws {
        let home = Home(user: kind == .limited ? Self.user : 0)
        let daemon = try await home.startDaemon(kind.command)
        let made = try await home.relctl("vault", "init", "--passphrase-stdin", "--json", input: "correct horse\n")
        let vault = try #require(try JSONValue(parsing: made).objectValue)
        let memory = try vault.string("memory")
        let refusals = try vault.objects("memoryRefusals")
        print("\(kind): \(memory), \(refusals)")
        #expect(kind.memory.contains(memory))
        #expect((memory == "memfd_secret") == refusals.isEmpty)
        #expect(kind != .refused || refusals.last == ["call": "mlock", "errno": .integer(Int64(EPERM))])
        let isSwappable = memory == "swappable"
        #expect(try await home.relctl("status").contains("secrets may be swapped out") == isSwappable)
        _ = try await home.relctl("vault", "lock")
        _ = try await home.relctl("vault", "unlock", "--passphrase-stdin", input: "correct horse\n")
        try await daemon.end()
    }

    @Test("another process of the same user cannot inspect the daemon, and can inspect most of an ordinary process")
    func sameUser() async throws {
        let home = Home(user: Self.user)
        let daemon = try await home.startDaemon(Self.asUser)
        _ = try await home.relctl("vault", "init", "--passphrase-stdin", input: "correct horse\n")
        let status = try #require(try JSONValue(parsing: try await home.relctl("status", "--json")).objectValue)
        let refused = try await outcomes(pid: Int32(try status.integer("pid")))
        #expect(refused.count == 6)
        #expect(refused.allSatisfy { $0.value == "EACCES" || $0.value == "EPERM" }, "\(refused)")
        print("as the same user: \(refused.values.count { $0 != "allowed" }) of \(refused.count) ways refused")

        let ordinary = try ChildProcess(Self.asUser + ["cat"])
        try await eventually { try await self.outcomes(pid: ordinary.pid)["environ"] == "allowed" }
        ordinary.closeInput()
        _ = ordinary.wait()
        try await daemon.end()
    }

    private func outcomes(pid: Int32) async throws -> [String: String] {
        // A copy, because the user may have no access to the sources.
        let script = TextFile.text(of: Self.tools + "/peek.py")
        let command = Command(Self.asUser + ["/usr/bin/python3", "-c", script, "\(pid)"])
        let lines = try await command.succeed().split(separator: "\n")
        return Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let words = line.split(separator: " ").map(String.init)
                return (words[0], words[1])
            }
        )
    }
}
