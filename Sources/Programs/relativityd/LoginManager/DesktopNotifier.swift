// SPDX-License-Identifier: Apache-2.0

internal import CDBus
internal import Glibc
internal import Locks
internal import Platform

/// A message on the user's desktop.
package struct DesktopNotice: Sendable, Hashable {
    /// Identifies the subject. A notice replaces an earlier one with the same key.
    package let key: String
    /// The title: one line of printable text.
    package let summary: String
    /// Printable text.
    package let body: String

    /// A notice with these values.
    package init(key: String, summary: String, body: String) {
        (self.key, self.summary, self.body) = (key, summary, body)
    }

    /// The body for a notification service, which may read it as markup.
    var markup: String {
        var text = ""
        for character in body {
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.append(character)
            }
        }
        return text
    }
}

/// Shows notices on the desktop, through the service `org.freedesktop.Notifications` of the session bus.
///
/// libdbus blocks, for seconds if the bus hangs. So a thread connects, shows what waits, and ends: notices are rare, and
/// an idle daemon needs neither the connection nor the thread.
package final class DesktopNotifier: Sendable {
    /// Above it, notices are dropped: the service does not answer.
    private static let mostWaiting = 16
    private static let interval = Duration.seconds(60)
    private static let mostKeys = 256

    private struct State {
        var waiting: [DesktopNotice] = []
        var limit = RepeatLimit<String>(interval: DesktopNotifier.interval, keys: DesktopNotifier.mostKeys)
        /// The number that the service gave to the last notice of each key.
        var numbers: [String: UInt32] = [:]
        var isShowing = false
        var isStopped = false
    }

    private let address: String
    private let onProblem: @Sendable (LoginManagerError) -> Void
    private let state = Lock(State())

    /// Makes a notifier. It connects when there is a notice.
    ///
    /// - Parameters:
    ///   - address: of the session bus, such as `unix:path=/run/user/1000/bus`.
    ///   - onProblem: called on the notifier's thread each time that notices cannot be shown.
    package init(address: String, onProblem: @escaping @Sendable (LoginManagerError) -> Void) {
        self.address = address
        self.onProblem = onProblem
    }

    /// Shows a notice soon, or drops it: at most one with the same key is shown in a minute. Never blocks.
    package func show(_ notice: DesktopNotice) {
        let starts = state.withLock { state in
            guard !state.isStopped, state.waiting.count < Self.mostWaiting,
                state.limit.permits(notice.key, at: .now)
            else { return false }
            state.waiting.append(notice)
            defer { state.isShowing = true }
            return !state.isShowing
        }
        guard starts else { return }
        let status = BackgroundThread.start { self.run() }
        if status != 0 {
            abandon()
            onProblem(.cannotStartThread(errno: status))
        }
    }

    /// Drops the notices that wait, and all later ones.
    package func stop() {
        state.withLock { state in
            state.isStopped = true
            state.waiting = []
        }
    }

    private func run() {
        do throws(LoginManagerError) {
            let bus = try BusConnection(session: address)
            while let next = next() {
                let number = try bus.show(next.notice, replacing: next.number)
                state.withLock { state in
                    // Services number from 1, and clear old numbers automatically.
                    if state.numbers.count >= Self.mostKeys { state.numbers = [:] }
                    state.numbers[next.notice.key] = number
                }
            }
        } catch {
            abandon()
            onProblem(error)
        }
    }

    private func next() -> (notice: DesktopNotice, number: UInt32)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isShowing = false
                return nil
            }
            let notice = state.waiting.removeFirst()
            return (notice, state.numbers[notice.key] ?? 0)
        }
    }

    private func abandon() {
        state.withLock { state in
            state.waiting = []
            state.isShowing = false
        }
    }
}

extension BusConnection {
    private static let notifications = "org.freedesktop.Notifications"

    /// - Parameter number: that of the notification to replace; 0 for none.
    /// - Returns: the number of the notification.
    fileprivate func show(
        _ notice: DesktopNotice,
        replacing number: UInt32
    ) throws(LoginManagerError) -> UInt32? {
        let message = try BusMessage(
            calling: "Notify",
            of: Self.notifications,
            at: "/org/freedesktop/Notifications",
            on: Self.notifications,
            []
        )
        // Unlike logind, this service may be started by the bus.
        dbus_message_set_auto_start(message.pointer, 1)
        message.append(notice, replacing: number)
        return try call(message, "Notify").number
    }
}

extension BusMessage {
    /// Appends the arguments of `Notify`: application, number, icon, summary, body, actions, hints and time.
    fileprivate func append(_ notice: DesktopNotice, replacing number: UInt32) {
        var arguments = DBusMessageIter()
        dbus_message_iter_init_append(pointer, &arguments)
        Self.append("relativityd", to: &arguments)
        Self.append(number, Self.numberType, to: &arguments)
        for text in ["", notice.summary, notice.markup] { Self.append(text, to: &arguments) }
        for contents in ["s", "{sv}"] {
            var list = DBusMessageIter()
            dbus_message_iter_open_container(&arguments, Int32(UInt8(ascii: "a")), contents, &list)
            dbus_message_iter_close_container(&arguments, &list)
        }
        // The service decides when the notification expires.
        Self.append(Int32(-1), Int32(UInt8(ascii: "i")), to: &arguments)
    }

    private static func append(_ text: String, to arguments: inout DBusMessageIter) {
        text.withCString { text in
            var text: UnsafePointer<CChar>? = text
            dbus_message_iter_append_basic(&arguments, stringType, &text)
        }
    }

    private static func append<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number,
        _ type: Int32,
        to arguments: inout DBusMessageIter
    ) {
        var number = number
        dbus_message_iter_append_basic(&arguments, type, &number)
    }
}
