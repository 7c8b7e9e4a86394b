// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// A home directory of any user, with copies of the programs that this user can access. Needs root.
final class Home: Sendable {
    let directory = TemporaryDirectory()
    private let user: uid_t
    private let environment: [String: String]

    init(user: uid_t) {
        self.user = user
        environment = [
            "HOME": directory.path,
            "XDG_RUNTIME_DIR": directory.path(of: "run"),
            "XDG_DATA_HOME": directory.path(of: "data"),
            "XDG_CONFIG_HOME": directory.path(of: "config"),
            "XDG_STATE_HOME": directory.path(of: "state"),
            "RELATIVITYD_SOCKET": directory.path(of: "run/relativityd/relativityd.sock"),
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(directory.path(of: "bus"))",
            "LC_ALL": "C.UTF-8",
        ]
        mkdir(directory.path(of: "run"), 0o700)
        for path in [directory.path, directory.path(of: "run")] { chown(path, user, user) }
        for program in ["relativityd", "relctl"] {
            let copy = directory.path(of: program)
            // A link if possible, because the file is large.
            if link(Products.path(of: program), copy) != 0 {
                directory.write(TextFile.bytes(of: Products.path(of: program)), to: program, mode: 0o755)
            }
        }
    }

    /// - Parameter command: runs the daemon, which is passed as its arguments.
    func startDaemon(_ command: [String]) async throws -> Supervised {
        let daemon = try Supervised(
            command + [directory.path(of: "relativityd")],
            environment: environment,
            log: directory.path(of: "log")
        )
        try await eventually { (try? await self.relctl("status")) != nil }
        return daemon
    }

    /// The output of a verb that is expected to succeed.
    func relctl(_ arguments: String..., input: String = "") async throws -> String {
        try await run([directory.path(of: "relctl")] + arguments, input: input)
    }

    /// The output of a program that this user runs and that is expected to succeed.
    func run(_ words: [String], input: String = "") async throws -> String {
        try await Command(asUser + words, environment: environment).succeed(input: input)
    }

    /// Runs the program after it as this user.
    var asUser: [String] { ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--"] }
}
