// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A session bus of one test, which activates no services. It ends with this object.
package final class SessionBus: Sendable {
    package let directory = TemporaryDirectory()
    private let daemon: ChildProcess

    private static let script = """
        dbus-daemon --config-file="$0" --nofork --nopidfile >/dev/null 2>&1 & bus=$!
        read -r end; kill $bus; wait $bus
        """

    package init() async throws {
        let socket = directory.path(of: "bus")
        let configuration = """
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(socket)</listen>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """
        directory.write(Array(configuration.utf8), to: "bus.conf")
        daemon = try ChildProcess(["sh", "-c", Self.script, directory.path(of: "bus.conf")])
        try await eventually { access(socket, F_OK) == 0 }
    }

    deinit {
        daemon.closeInput()
        _ = daemon.wait()
    }

    package var address: String { "unix:path=\(directory.path(of: "bus"))" }

    /// The environment for programs that use this bus, and store their files in its directory.
    package var environment: [String: String] {
        [
            "DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": directory.path, "HOME": directory.path,
            "XDG_DATA_HOME": directory.path(of: "data"),
        ]
    }

    /// Waits until a Secret Service is on this bus, or until there is none.
    package func awaitKeyring(_ isThere: Bool = true) async throws {
        let question = Command([
            "dbus-send", "--bus=\(address)", "--dest=org.freedesktop.DBus", "--print-reply=literal",
            "/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets",
        ])
        try await eventually { try await question.succeed().contains("true") == isThere }
    }
}
