// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// The deployment's own system bus, with a stand-in for systemd-logind (`Tests/Tools/logind.py`).
final class LoginBus {
    private let deployment: Deployment
    private var daemon: ChildProcess?
    private var logind: ChildProcess?
    private var answers: AsyncStream<String>?

    init(of deployment: Deployment) {
        self.deployment = deployment
    }

    deinit {
        stopLogind()
        stop()
    }

    func start() async throws {
        unlink(deployment.bus)
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
              "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>system</type>
              <listen>unix:path=\(deployment.bus)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow user="*"/> <allow own="*"/>
                <allow send_destination="*"/> <allow send_type="signal"/> <allow receive_sender="*"/>
              </policy>
            </busconfig>
            """
        deployment.home.write(Array(configuration.utf8), to: "bus.conf")
        let path = deployment.home.path(of: "bus.conf")
        daemon = try ChildProcess(["dbus-daemon", "--nofork", "--nopidfile", "--config-file=\(path)"])
        try await eventually { access(self.deployment.bus, F_OK) == 0 }
    }

    /// Kills the bus. All its clients lose their connection.
    func stop() {
        daemon?.signal(SIGCONT)
        daemon?.signal(SIGKILL)
        _ = daemon?.wait()
        daemon = nil
    }

    /// Stops or continues the bus, which hangs in between.
    func signal(_ signal: Int32) { daemon?.signal(signal) }

    func startLogind() async throws {
        let program = try ChildProcess(
            [Sources.python, Sources.root + "/Tests/Tools/logind.py"],
            environment: deployment.environment
        )
        logind = program
        answers = program.outputLines(silence: .seconds(60))
        try #require(try await answer() == "ready")
    }

    func stopLogind() {
        logind?.signal(SIGKILL)
        _ = logind?.wait()
        logind = nil
        answers = nil
    }

    /// Sends a command to the stand-in, whose text describes the commands.
    @discardableResult
    func logind(_ command: String) async throws -> String {
        logind?.write(command + "\n")
        return try await answer()
    }

    private func answer() async throws -> String {
        let lines = try #require(answers)
        for await line in lines { return line }
        throw NotInTime(seconds: 60)
    }

    /// Waits until the daemon delays sleep, or no longer does.
    func untilDelayed(_ isDelayed: Bool = true) async throws {
        try await eventually { try await self.logind("delays") == (isDelayed ? "1" : "0") }
    }
}
