// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite(
    "Notifications on the desktop",
    .enabled(
        if: Requirement.allMet([.program("dbus-daemon"), .program(Sources.python)]),
        "needs dbus-daemon and scripts/python-env.sh"
    ),
    .timeLimit(.minutes(2))
)
struct DesktopNoticeTests {
    private let deployment = Deployment()
    private let bus: LoginBus

    init() async throws {
        bus = LoginBus(of: deployment)
        let configuration = "[probe]\nmode = \"off\"\n[notifications]\ndesktop = true\n"
        deployment.home.write(Array(configuration.utf8), to: "config/relativityd/relativityd.toml")
        try await bus.start()
    }

    private var session: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(deployment.bus)"] }

    private func startService(_ options: String...) async throws -> Supervised {
        let service = try Supervised(
            [Sources.python, Sources.root + "/Tests/Tools/notifications.py"] + options,
            environment: deployment.environment.merging(session) { $1 },
            log: deployment.home.path(of: "notifications.log")
        )
        try await eventually { service.output.contains("ready") }
        return service
    }

    private func shown(_ service: Supervised) throws -> [JSONObject] {
        try service.output.split(separator: "\n").filter { $0.hasPrefix("{") && $0.hasSuffix("}") }.map { line in
            try #require(try JSONValue(parsing: String(line)).objectValue)
        }
    }

    private func unlock() async throws {
        try await deployment.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")
    }

    /// Locks the vault as the service manager or a key of the desktop would, and unlocks it again.
    private func lock(_ daemon: Supervised) async throws {
        daemon.send("USR1")
        try await eventually { try await !deployment.success("vault", "status").contains("unlocked") }
        try await unlock()
    }

    @Test("tell of a lock without a command, a refused login and another server, once in a minute for each")
    func events() async throws {
        let service = try await startService()
        let daemon = try await deployment.startDaemon(environment: session)
        let server = try await deployment.startServer()
        var front = try await TLSFront(deployment, backend: server.port)
        let name = "<b>office & co"
        try await deployment.success("add", name, "https://127.0.0.1:\(front.port)/bin")
        try await deployment.initialiseVault()
        // The user's own command.
        try await deployment.success("vault", "lock")
        try await unlock()
        for _ in 1...2 { try await lock(daemon) }
        let added = try await deployment.addLogin(
            to: name,
            password: "S3cret-of-the-login",
            options: ["--name", "clerk", "--no-test"]
        )
        #expect(added.status == 0, "\(added)")
        #expect(try await deployment.relctl("adapter", "open", name).status == 13)
        try await eventually { try shown(service).count == 2 }
        try await front.program.end()
        front = try await TLSFront(deployment, backend: server.port, port: front.port)
        for _ in 1...2 { #expect(try await deployment.relctl("login", "test", "clerk").status == 5) }
        try await eventually { try shown(service).count == 3 }

        let notices = try shown(service)
        #expect(
            try notices.map { try $0.string("summary") } == [
                "The vault is locked", "A login was refused", "Another server answers",
            ]
        )
        for notice in notices.dropFirst() {
            #expect(try notice.string("body").contains("server &lt;b&gt;office &amp; co "))
        }
        #expect(notices.map { $0["replaces"] } == [0, 0, 0] && notices.map { $0["number"] } == [1, 2, 3])
        #expect(!service.output.contains("S3cret-of-the-login"))
        // The lock at the end of the daemon is no event for the user.
        #expect(try await daemon.end() == 0)
        #expect(try shown(service).count == 3)
        try await service.end()
    }

    @Test("are off by default, and a missing or silent service neither delays the daemon nor fails it")
    func others() async throws {
        let daemon = try await deployment.startDaemon(environment: session)
        try await deployment.initialiseVault()
        try await lock(daemon)
        try await eventually { TextFile.text(of: deployment.daemonLog).contains("notification was not shown") }
        #expect(try await daemon.end() == 0)

        let service = try await startService("--silent")
        let delayed = try await deployment.startDaemon(environment: session)
        try await unlock()
        try await lock(delayed)
        try await eventually { try shown(service).count == 1 }
        #expect(try await deployment.success("vault", "status").contains("unlocked"))
        #expect(try await delayed.end() == 0)

        unlink(deployment.home.path(of: "config/relativityd/relativityd.toml"))
        let quiet = try await deployment.startDaemon(environment: session)
        try await unlock()
        try await lock(quiet)
        #expect(try await quiet.end() == 0)
        #expect(try shown(service).count == 1)
        try await service.end()
    }
}
