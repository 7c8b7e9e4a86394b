// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

/// A daemon in its own mount namespace, with data and state on a small tmpfs.
@Suite(
    "A full disk",
    .enabled(if: Requirement.allMet([.root, .program("unshare"), .program("nsenter")])),
    .timeLimit(.minutes(2))
)
struct FullDiskTests {
    private static let reason = "No space left on device"
    private static let script = """
        mount --make-rprivate / && mount --types tmpfs --options mode=700,size=1m tmpfs "$0" && exec "$@"
        """

    private let deployment = Deployment()

    private var disk: String { deployment.home.path(of: "disk") }

    private var environment: [String: String] {
        ["XDG_DATA_HOME": disk + "/data", "XDG_STATE_HOME": disk + "/state"]
    }

    private func startDaemon() async throws -> Supervised {
        mkdir(disk, 0o700)
        return try await deployment.startDaemon(
            environment: environment,
            wrapper: ["unshare", "--mount", "sh", "-c", Self.script, disk]
        )
    }

    private func pid() async throws -> Int64 {
        try #require(try await deployment.json("status").objectValue).integer("pid")
    }

    /// Runs a verb that sees the small disk too.
    private func inside(_ pid: Int64, _ arguments: [String], input: String = "") async throws -> Command.Output {
        let command = ["nsenter", "--mount", "--target", "\(pid)", Products.path(of: "relctl")] + arguments
        return try await Command(command, environment: deployment.environment.merging(environment) { $1 })
            .run(input: input)
    }

    private func shell(_ pid: Int64, _ script: String) async throws -> String {
        try await Command(["nsenter", "--mount", "--target", "\(pid)", "sh", "-c", script, disk]).succeed()
    }

    /// The files except the audit log, which is written as long as there is space, and names without content.
    private func kept(_ pid: Int64) async throws -> String {
        try await shell(
            pid,
            "cd $0 && find data state -type f -size +0 ! -name 'audit*' ! -name '*.lock' | sort | xargs sha256sum"
        )
    }

    private func endpoints() async throws -> Set<String> {
        Set(
            try #require(try await deployment.json("list").arrayValue).compactMap { try $0.objectValue?.string("name") }
        )
    }

    @Test("a failed write names its file and loses nothing, and with space everything continues")
    func fullAndRoomAgain() async throws {
        let daemon = try await startDaemon()
        let server = try await deployment.startServer()
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        try await deployment.initialiseVault()
        #expect(try await deployment.addLogin().status == 0)
        let pid = try await pid()
        let before = try await kept(pid)
        #expect(before.contains("vault.rcv") && before.contains("endpoints.json"), "\(before)")
        _ = try await shell(pid, "cat /dev/zero >$0/filler 2>/dev/null; true")

        let refused: [(file: String, verb: [String])] = [
            ("data/relativityd/endpoints.json", ["add", "other", "127.0.0.1:1"]),
            ("data/relativityd/vault.rcv", ["login", "rename", Deployment.login, "other"]),
            (
                "state/relativityd/vault-",
                ["vault", "slot", "add", "--provider", "key-file", "--insecure-keyfile"]
            ),
            ("code", ["vault", "slot", "add", "--provider", "recovery-code", "--recovery-code-file", disk + "/code"]),
            ("capture", ["wire", "capture", "sample", "--anonymous", "--out", disk + "/capture"]),
            ("sample.relativityClient", ["endpoint", "export", "sample", "--out", disk + "/sample.relativityClient"]),
            ("bundle", ["doctor", "--bundle", disk + "/bundle"]),
            ("vault-2-", ["vault", "backup", "--to", disk]),
        ]
        for (file, verb) in refused {
            let output = try await inside(pid, verb)
            let text = output.standardError
            #expect(output.status != 0 && text.contains("\(disk)/\(file)") && text.contains(Self.reason), "\(output)")
            #expect(!text.contains(".tmp"), "\(text)")
        }
        // A small change may still fit into the last page of the log, so there are several.
        var export = try await inside(
            pid,
            ["vault", "export", "--stdin", "--out", disk + "/copy"],
            input: "another one\n"
        )
        for _ in 0..<20 where !export.standardError.contains("audit.jsonl") {
            export = try await inside(
                pid,
                ["vault", "export", "--stdin", "--out", disk + "/copy"],
                input: "another one\n"
            )
        }
        #expect(export.status != 0 && export.standardError.contains(Self.reason), "\(export)")
        #expect(try await shell(pid, "ls -A $0") == "data\nfiller\nstate\n", "no file was left half written")
        #expect(try await kept(pid) == before)
        #expect(try await endpoints() == ["sample"])
        #expect(try await deployment.success("status").contains("the list of added endpoints is not saved"))
        // Actions that need no space still work.
        #expect(try await deployment.success("login", "test", Deployment.login).contains("accepted the login"))
        try await deployment.success("vault", "lock")
        try await deployment.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")

        _ = try await shell(pid, "rm $0/filler")
        // Doctor exits with the status of its findings, and another slot needs the passphrase.
        for (_, verb) in refused where verb[0] != "doctor" && !verb.contains("slot") {
            let output = try await inside(pid, verb)
            #expect(output.status == 0, "\(output)")
        }
        #expect(try await endpoints() == ["sample", "other"])
        let audit = try await deployment.success("audit", "verify")
        #expect(audit.contains("intact"), "\(audit)")
        let status = try await deployment.success("status")
        #expect(!status.contains(Self.reason), "\(status)")
        #expect(try await daemon.end() == 0)
    }
}
