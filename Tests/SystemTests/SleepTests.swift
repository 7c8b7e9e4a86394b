// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite(
    "The vault when the machine sleeps or the session locks",
    .enabled(
        if: Requirement.allMet([.program("dbus-daemon"), .program(Sources.python)]),
        "needs dbus-daemon and scripts/python-env.sh"
    ),
    .timeLimit(.minutes(2))
)
struct SleepTests {
    @Test(
        "sleep waits until the vault is locked, its adapters are closed and logged out, and waking unlocks nothing"
    )
    func passphrase() async throws {
        let deployment = Deployment()
        let bus = try await start(deployment)
        try await deployment.startWithLogin()
        let (holder, _) = try await deployment.holdAdapter("sample")
        try await bus.untilDelayed()

        let delay = try #require(Int(try await bus.logind("sleep")), "the machine was held up for ever")
        print("sleep was delayed for \(delay) ms, until keys, adapters and sessions were gone")
        #expect(delay < 2_000)
        #expect(deployment.requests(of: "LoginService.Logout") == 2, "one after the test of the login, one now")
        #expect(holder.wait() != 0)
        #expect(try await deployment.success("vault", "status").contains("locked"))
        try await bus.untilDelayed(false)

        try await bus.logind("wake")
        try await bus.untilDelayed()
        #expect(try await deployment.success("vault", "status").contains("locked"))
        #expect(try await deployment.relctl("vault", "unlock").status == 64, "only a passphrase opens it")
    }

    @Test("a vault that opens without the user is sealed while the machine sleeps, and opens again when it wakes up")
    func unattended() async throws {
        let deployment = Deployment()
        let bus = try await start(deployment)
        mkdir(deployment.home.path(of: "credentials"), 0o700)
        deployment.home.write((0..<32).map { UInt8($0) }, to: "credentials/relativityd.vault-key", mode: 0o400)
        let key = ["CREDENTIALS_DIRECTORY": deployment.home.path(of: "credentials")]
        try await deployment.startDaemon(environment: key)
        try await deployment.success("vault", "init", "--provider", "credentials-directory")
        try await bus.untilDelayed()
        #expect(try await bus.logind("sleep") != "never")
        #expect(try await deployment.success("vault", "status").contains("sealed"))
        try await bus.logind("wake")
        try await eventually { try await deployment.success("vault", "status").contains("unlocked") }

        // A vault that the user has locked stays locked.
        try await bus.untilDelayed()
        try await deployment.success("vault", "lock")
        #expect(try await bus.logind("sleep") != "never")
        try await bus.logind("wake")
        try await bus.untilDelayed()
        #expect(try await deployment.success("vault", "status").contains("locked"))
    }

    @Test("a session lock counts only if it is configured, and only for the daemon's own user")
    func sessionLock() async throws {
        let deployment = Deployment()
        mkdir(deployment.home.path(of: "config"), 0o700)
        mkdir(deployment.home.path(of: "config/relativityd"), 0o700)
        let bus = try await start(deployment)
        deployment.home.write(
            Array("[vault]\nlock_on = [\"session-lock\"]\n".utf8),
            to: "config/relativityd/relativityd.toml"
        )
        try await deployment.startDaemon()
        try await deployment.initialiseVault()
        try await bus.untilDelayed()
        try await bus.logind("lock \(getuid() + 1)")
        // The sleep signal follows the lock signal, and the delay shows that it was handled. So the lock signal was
        // handled too.
        #expect(try await bus.logind("sleep") != "never")
        #expect(try await isUnlocked(deployment), "sleep was not asked for")
        for command in ["lock \(getuid())", "vanish \(getuid())"] {
            try await bus.logind(command)
            try await eventually { try await !isUnlocked(deployment) }
            #expect(try await deployment.success("vault", "status").contains("locked"))
            try await deployment.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")
        }
    }

    @Test("without the setting a session lock has no effect, and neither has a signal that is not from logind")
    func ignored() async throws {
        let deployment = Deployment()
        let bus = try await start(deployment)
        try await deployment.startDaemon()
        try await deployment.initialiseVault()
        try await bus.untilDelayed()
        try await bus.logind("lock \(getuid())")
        try await bus.logind("forge")
        // After both, logind's signal of waking makes the daemon take another delay.
        try await bus.logind("wake")
        try await bus.untilDelayed()
        #expect(try await isUnlocked(deployment))
    }

    @Test("without a bus, logind or its permission to delay, the daemon reports it and keeps trying")
    func absent() async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        try await untilNoted("the system bus cannot be reached", deployment)
        let bus = LoginBus(of: deployment)
        try await bus.start()
        try await untilNoted("systemd-logind is not running", deployment)
        try await bus.startLogind()
        try await untilNoted(nil, deployment)
        try await bus.logind("refuse")
        try await bus.logind("wake")
        try await untilNoted("systemd-logind does not wait for it: not for you", deployment)
        try await bus.logind("grant")
        bus.stopLogind()
        try await untilNoted("systemd-logind is not running", deployment)
        bus.stop()
        try await untilNoted("the system bus cannot be reached", deployment)
        try await bus.start()
        try await bus.startLogind()
        try await untilNoted(nil, deployment)
        try await bus.untilDelayed()
        try await daemon.end()
        try await bus.untilDelayed(false)
    }

    @Test("a bus that hangs delays neither the API nor the end of the daemon")
    func hanging() async throws {
        let deployment = Deployment()
        let bus = try await start(deployment)
        bus.signal(SIGSTOP)
        let started = ContinuousClock.now
        let daemon = try await deployment.startDaemon()
        try await deployment.initialiseVault()
        try await deployment.success("vault", "lock")
        #expect(try await daemon.end() == 0)
        let took = ContinuousClock.now - started
        #expect(took < .seconds(8), "\(took)")
        bus.signal(SIGCONT)
    }

    private func start(_ deployment: Deployment) async throws -> LoginBus {
        let bus = LoginBus(of: deployment)
        try await bus.start()
        try await bus.startLogind()
        return bus
    }

    private func isUnlocked(_ deployment: Deployment) async throws -> Bool {
        try await deployment.success("vault", "status").contains("unlocked")
    }

    /// Waits for a note about sleep with this text, or for none.
    private func untilNoted(_ text: String?, _ deployment: Deployment) async throws {
        try await eventually {
            let status = try #require(try await deployment.json("status").objectValue)
            let notes = try status.objects("notes").filter { $0["code"] == "sleepUnnoticed" }
            return try text.map { text in try notes.contains { try $0.string("detail").contains(text) } }
                ?? notes.isEmpty
        }
    }
}
