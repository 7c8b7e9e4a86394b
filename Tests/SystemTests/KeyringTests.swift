// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@Suite("The vault's key in the desktop's keyring", .timeLimit(.minutes(2)))
struct KeyringTests {
    private static let tools: [Requirement] = [
        .program("dbus-daemon"), .program("dbus-send"), .program("gnome-keyring-daemon"),
    ]

    @Test(
        "with gnome-keyring the vault opens at the start; while the keyring is locked it stays closed with a reason",
        .enabled(if: Requirement.allMet(tools))
    )
    func gnomeKeyring() async throws {
        let bus = try await SessionBus()
        var keyring = try await GnomeKeyring(on: bus, password: "keyring")
        let deployment = Deployment()
        let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
        let daemon = try await deployment.startDaemon(environment: environment)
        let made = try await deployment.success("vault", "init", "--provider", "secret-service")
        #expect(made.contains("(that of the login keyring, created "), "\(made)")
        let server = try await deployment.startServer()
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        #expect(try await deployment.addLogin().status == 0)
        try await daemon.end()

        let second = try await deployment.startDaemon(environment: environment)
        #expect(try await deployment.success("vault", "status").contains("unlocked"))
        let tested = try await deployment.success("login", "test", Deployment.login)
        #expect(tested.contains("the server accepted the login"), "\(tested)")
        try await deployment.success("vault", "lock")
        #expect(try await deployment.success("vault", "unlock").contains("unlocked"))
        try await second.end()

        try await keyring.end()
        keyring = try await GnomeKeyring(on: bus, password: nil)
        try await deployment.startDaemon(environment: environment)
        #expect(TextFile.text(of: deployment.daemonLog).contains("the keyring is locked"))
        #expect(try await deployment.success("vault", "status").contains("sealed"))
        #expect(try await deployment.relctl("login", "list").status == 3)
        // No program on this bus can prompt for the password.
        let refused = try await deployment.relctl("vault", "unlock")
        #expect(refused.status == 6 && refused.standardError.contains("its password was not given"), "\(refused)")
        try await keyring.end()
    }

    @Test(
        "with gnome-keyring an older vault and anchor file, restored together, are detected at the next start",
        .enabled(if: Requirement.allMet(tools))
    )
    func rollback() async throws {
        let bus = try await SessionBus()
        let keyring = try await GnomeKeyring(on: bus, password: "keyring")
        let deployment = Deployment()
        let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
        let daemon = try await deployment.startDaemon(environment: environment)
        try await deployment.success("vault", "init", "--provider", "secret-service")
        let files = ["data/relativityd/vault.rcv", "state/relativityd/anchor"]
        let old = files.map { deployment.home.content(of: $0) }
        try #require(old.allSatisfy { !$0.isEmpty })
        let server = try await deployment.startServer()
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        #expect(try await deployment.addLogin().status == 0)
        let status = try await deployment.success("vault", "status")
        #expect(status.contains(", recorded in memory and secret-service and file"), "\(status)")
        try await daemon.end()

        for (name, bytes) in zip(files, old) { deployment.home.write(bytes, to: name) }
        try await deployment.startDaemon(environment: environment)
        let suspected = try await deployment.success("vault", "status")
        #expect(
            suspected.contains("degraded") && suspected.contains("rollback suspected: generation 2"),
            "\(suspected)"
        )
        #expect(try await deployment.addLogin().status == 4)
        try await deployment.success("vault", "accept", "--generation", "1", "--yes")
        #expect(try await deployment.addLogin().status == 0)
        try await keyring.end()
    }
}
