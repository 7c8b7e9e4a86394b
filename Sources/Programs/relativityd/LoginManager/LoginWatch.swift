// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Locks
internal import Platform

/// The main loop of the thread: connects to the bus, handles the signals of logind, holds the delay lock, and
/// reconnects when the connection is lost.
struct LoginWatch {
    private static let name = "org.freedesktop.login1"
    private static let managerPath = "/org/freedesktop/login1"
    private static let manager = "org.freedesktop.login1.Manager"
    private static let session = "org.freedesktop.login1.Session"
    private static let bus = "org.freedesktop.DBus"

    /// Readable when the thread must stop.
    let stop: Int32
    let deliver: (LoginManagerEvent) -> Void
    /// Called with the current problem; nil if signals are received and logind waits for us.
    let tell: (LoginManagerError?) -> Void

    /// The maximum is long, because each attempt wakes an idle machine.
    private var backoff = Backoff(shortest: .milliseconds(500), longest: .seconds(300))
    private var random = SystemRandomNumberGenerator()
    /// The unique name of logind. Signals from any other sender are ignored.
    private var owner: String?
    private var delay: SleepDelay?

    init(
        stop: Int32,
        deliver: @escaping (LoginManagerEvent) -> Void,
        tell: @escaping (LoginManagerError?) -> Void
    ) {
        self.stop = stop
        self.deliver = deliver
        self.tell = tell
    }

    /// Returns when stopped.
    mutating func run() {
        while true {
            do throws(LoginManagerError) {
                try watch()
                return
            } catch {
                // A delay that we could not release in time would only delay the machine.
                owner = nil
                delay = nil
                tell(error)
            }
            if isStopped(within: backoff.pause(using: &random)) { return }
        }
    }

    /// Handles signals until stopped.
    ///
    /// - Throws: if the bus cannot be reached, or the connection is lost.
    private mutating func watch() throws(LoginManagerError) {
        let bus = try BusConnection()
        guard let descriptor = bus.descriptor else { throw .busLost }
        try bus.addMatch(
            "type='signal',sender='\(Self.bus)',interface='\(Self.bus)',member='NameOwnerChanged',arg0='\(Self.name)'"
        )
        try bus.addMatch(
            "type='signal',sender='\(Self.name)',interface='\(Self.manager)',member='PrepareForSleep',"
                + "path='\(Self.managerPath)'"
        )
        try bus.addMatch("type='signal',sender='\(Self.name)',interface='\(Self.session)',member='Lock'")
        owner = try bus.owner(of: Self.name)
        takeDelay(bus)
        while true {
            while let message = bus.next() { heed(message, bus) }
            guard bus.isConnected else { throw .busLost }
            if isStopped(orReadable: descriptor) { return }
            guard bus.receive() else { throw .busLost }
        }
    }

    private mutating func heed(_ message: borrowing BusMessage, _ bus: borrowing BusConnection) {
        if message.isSignal("NameOwnerChanged", of: Self.bus), message.sender == Self.bus {
            guard message.string(at: 0) == Self.name else { return }
            owner = message.string(at: 2).flatMap { $0.isEmpty ? nil : $0 }
            takeDelay(bus)
            return
        }
        guard let owner, message.sender == owner else { return }
        if message.isSignal("PrepareForSleep", of: Self.manager) {
            if message.boolean() == true {
                deliver(.sleeps(delay: delay))
                delay = nil
            } else {
                deliver(.wakes)
                takeDelay(bus)
            }
        } else if message.isSignal("Lock", of: Self.session), let path = message.path, isOurs(path, bus) {
            deliver(.sessionLocks)
        }
    }

    private mutating func takeDelay(_ bus: borrowing BusConnection) {
        delay = nil
        guard owner != nil else { return tell(.notRunning) }
        do throws(LoginManagerError) {
            let reply = try bus.call(
                "Inhibit",
                of: Self.manager,
                at: Self.managerPath,
                on: Self.name,
                ["sleep", "relativityd", "The vault is locked first", "delay"]
            )
            guard let descriptor = reply.descriptor() else { return tell(.noDelay(reason: "it sent no descriptor")) }
            delay = SleepDelay(owning: descriptor)
            // Connecting alone does not reset the backoff: a bus that drops us immediately would be retried twice a
            // second.
            backoff.reset()
            tell(nil)
        } catch {
            guard case .refused(_, let reason) = error else { return tell(error) }
            tell(.noDelay(reason: reason))
        }
    }

    /// Whether a session belongs to our user. Sessions of other users receive the same signal. A session whose user
    /// is unknown counts as one of this user: locking a vault without need costs less than leaving it open.
    private func isOurs(_ session: String, _ bus: borrowing BusConnection) -> Bool {
        do throws(LoginManagerError) {
            let reply = try bus.call(
                "Get",
                of: "org.freedesktop.DBus.Properties",
                at: session,
                on: Self.name,
                [Self.session, "User"]
            )
            guard let user = reply.numberOfStructureInVariant else { return true }
            return user == getuid()
        } catch {
            return true
        }
    }

    private func isStopped(within pause: Duration) -> Bool {
        var ends = [pollfd(fd: stop, events: Int16(POLLIN), revents: 0)]
        return poll(&ends, 1, Int32(clamping: Int64(pause / .milliseconds(1)))) > 0
    }

    private func isStopped(orReadable descriptor: Int32) -> Bool {
        var ends = [stop, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&ends, 2, -1) < 0, errno == EINTR {}
        return ends[0].revents != 0
    }
}

/// A delay lock of logind: a descriptor. The machine does not sleep until it is closed, or until `InhibitDelayMaxSec`
/// is over, usually five seconds.
package final class SleepDelay: Sendable {
    private let descriptor: Lock<Int32>

    /// - Parameter descriptor: owned by this object.
    init(owning descriptor: Int32) {
        self.descriptor = Lock(descriptor)
    }

    deinit {
        end()
    }

    /// Allows the machine to sleep. A second call does nothing.
    package func end() {
        descriptor.withLock {
            if $0 >= 0 { close($0) }
            $0 = -1
        }
    }
}
