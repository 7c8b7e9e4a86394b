// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A deadline that often moves, mostly to a later time: for the next request, or for an idle connection. Use on its
/// event loop only.
///
/// A timer of the loop takes a microsecond to set, and longer to cancel if there are many. So an existing timer is
/// kept, and set again if it fires before the deadline.
package final class MovingDeadline {
    private let loop: any EventLoop
    private let action: () -> Void
    private var deadline: NIODeadline?
    private var timer: (due: NIODeadline, scheduled: Scheduled<Void>)?

    /// - Parameter action: runs on the loop when the deadline has passed; it may set a new deadline.
    package init(on loop: any EventLoop, _ action: @escaping () -> Void) {
        self.loop = loop
        self.action = action
    }

    /// Replaces the previous deadline.
    package func move(to new: NIODeadline) {
        deadline = new
        if let timer, timer.due <= new { return }
        timer?.scheduled.cancel()
        setTimer(to: new)
    }

    /// Removes the deadline. The timer is kept for the next one.
    package func clear() {
        deadline = nil
    }

    /// Removes the deadline and cancels the timer, so that the loop releases the action and its captures.
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
