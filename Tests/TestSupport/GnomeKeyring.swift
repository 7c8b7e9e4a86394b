// SPDX-License-Identifier: Apache-2.0

/// The real gnome-keyring-daemon on the bus of a test, with its files in the directory of the bus.
package final class GnomeKeyring: Sendable {
    private let bus: SessionBus
    private let program: ChildProcess

    /// With a password it makes or unlocks the login keyring. Without one the keyring stays locked.
    private static let script = """
        if [ -n "$0" ]; then
            printf '%s' "$0" | gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>&1 & keyring=$!
        else
            gnome-keyring-daemon --foreground --components=secrets >/dev/null 2>&1 & keyring=$!
        fi
        read -r end; kill $keyring; wait $keyring
        """

    package init(on bus: SessionBus, password: String?) async throws {
        self.bus = bus
        program = try ChildProcess(["sh", "-c", Self.script, password ?? ""], environment: bus.environment)
        try await bus.awaitKeyring()
    }

    /// Waits until it has left the bus.
    package func end() async throws {
        program.closeInput()
        _ = try await BlockingWork.run { [program] in program.wait() }
        try await bus.awaitKeyring(false)
    }

    deinit {
        program.closeInput()
    }
}
