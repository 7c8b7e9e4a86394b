// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite(
    "Kept tables after a crash",
    .enabled(if: Requirement.allMet([.program("strace")])),
    .timeLimit(.minutes(3))
)
struct KeptCrashTests {
    private let deployment = Deployment()
    private let refresh = ["briefcase", "refresh", "--kept", "--apply"]

    /// Runs a refresh whose helper is killed at the rename with this number.
    private func refresh(killedAt number: Int) async throws -> Command.Output {
        let options = ["-f", "-o", "/dev/null", "--trace=rename", "--inject=rename:signal=KILL:when=\(number)"]
        let program = [Products.path(of: "relctl")] + refresh
        return try await Command(["strace"] + options + program, environment: deployment.environment).run()
    }

    /// The names of the departments at the server.
    private func departments() async throws -> [String] {
        let get = ["table", "get", "sample", "Deps", "--select", "DepName", "--format", "csv", "--online", "-q"]
        let output = try await deployment.relctl(get)
        try #require(output.status == 0, "\(output)")
        return output.standardOutput.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
    }

    /// A save renames the changes, the table and the properties. There is one before the call, one after the reply, without
    /// the changes, and one after the download.
    @Test("a refresh that applies changes is killed at a rename, and each change is made once")
    func killed() async throws {
        try await deployment.startWithLogin()
        try await deployment.success("briefcase", "keep", "sample", "Deps", "-q")
        let listed = try await deployment.json("briefcase", "list", "--kept")
        let path = try #require(listed.arrayValue?.first?.objectValue).string("path")
        for number in [1, 3, 4, 6] {
            let names = ["old \(number)", "new \(number)"]
            for words in [["update", "sample", "Deps", "1"], ["insert", "sample", "Deps"]] {
                let name = words.count == 4 ? names[0] : names[1]
                let edit = try await deployment.relctl(["table"] + words + ["DepName=\(name)", "--offline", "-q"])
                #expect(edit.status == 0, "\(edit)")
            }
            let output = try await refresh(killedAt: number)
            let error = "relctl: error: sample, DataService: signal 9 ended relativityd-data\n"
            try #require(output.status == 15 && output.standardError == error, "\(output)")

            let pending = try await deployment.relctl("table", "pending", "list", path)
            #expect(pending.status == 0, "\(pending)")
            let made = try await departments()
            for name in names {
                #expect(made.contains(name) || pending.standardOutput.contains("'\(name)'"), "\(name): \(pending)")
            }
            var again = try await deployment.relctl(refresh)
            if again.status != 0 {
                #expect(again.standardError.contains("the outcome of 2 changes is unknown"), "\(again)")
                let isMade = made.contains(names[1])
                #expect(made.contains(names[0]) == isMade, "one call is one transaction")
                #expect(again.standardError.contains(isMade ? "was made" : "was not made"), "\(again)")
                if isMade { try await deployment.success("table", "pending", "drop", path, "-q") }
                again = try await deployment.relctl(refresh + (isMade ? [] : ["--retry"]))
            }
            #expect(again.status == 0, "\(again)")
            let after = try await departments()
            for name in names { #expect(after.count { $0 == name } == 1, "\(name): \(after)") }
            #expect(try await deployment.relctl("briefcase", "diff", "sample", path, "-q").status == 0)
        }
    }
}
