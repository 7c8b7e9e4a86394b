// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A Secret Service with faults on demand (Tests/Tools/fake_keyring.py), on the bus of a test.
package final class FakeKeyring: Sendable {
    private let bus: SessionBus
    private let program: ChildProcess

    /// - Parameter bus: stores the items for the next instance.
    package init(on bus: SessionBus) async throws {
        self.bus = bus
        bus.directory.write(Array("none".utf8), to: "fault")
        let script = Sources.root + "/Tests/Tools/fake_keyring.py"
        program = try ChildProcess([Sources.python, script, bus.address, bus.directory.path(of: "fault")])
        try await bus.awaitKeyring()
    }

    /// Sets the fault from now on; `none` for no fault.
    package func fail(_ fault: String) {
        bus.directory.write(Array(fault.utf8), to: "fault")
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
