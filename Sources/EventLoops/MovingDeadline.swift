// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A deadline that moves often, mostly away: of the next request, of a connection's silence. On its event loop only.
///
/// A timer of the loop costs a microsecond to set and more to take back where there are many. So one that was set stays;
/// when it comes too early it is set anew.
package final class MovingDeadline {
    private let loop: any EventLoop
    private let action: () -> Void
    private var deadline: NIODeadline?
    private var timer: (due: NIODeadline, scheduled: Scheduled<Void>)?

    /// - Parameter action: runs on the loop when the deadline has come; it may set another.
    package init(on loop: any EventLoop, _ action: @escaping () -> Void) {
        self.loop = loop
        self.action = action
    }

    /// Takes the place of the deadline before.
    package func move(to new: NIODeadline) {
        deadline = new
        if let timer, timer.due <= new { return }
        timer?.scheduled.cancel()
        setTimer(to: new)
    }

    /// There is none now.
    package func clear() {
        deadline = nil
    }

    /// There is none now, and nothing is kept for a next one: the loop lets go of what the action holds.
    package func end() {
        deadline = nil
        timer?.scheduled.cancel()
        timer = nil
    }

    private func setTimer(to due: NIODeadline) {
        let scheduled = loop.assumeIsolated().scheduleTask(deadline: due) { self.timerFired() }
        timer = (due, scheduled)
    }

    private func timerFired() {
        timer = nil
        guard let deadline else { return }
        guard deadline <= .now() else { return setTimer(to: deadline) }
        self.deadline = nil
        action()
    }
}
