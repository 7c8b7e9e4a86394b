// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import Platform

/// Waits for the keys of a terminal, for signals, and for other descriptors.
package final class KeyReader {
    /// A thing that was waited for.
    package enum Event: Hashable, Sendable {
        case key(Key)
        case signal(Int32)
        /// One of the other descriptors is readable.
        case ready(Int32)
        /// The terminal is gone.
        case end
    }

    /// The maximum interval between the bytes of one key, which is shorter than between two keys.
    private static let keyPause = Duration.milliseconds(50)

    /// The signals that are held.
    package let signals: HeldSignals
    private let input: Int32
    private var decoder = KeyDecoder()

    /// - Parameters:
    ///   - input: the descriptor of the keys.
    ///   - signals: those that are events instead of their usual effect.
    /// - Throws: `PlatformError.system`
    package init(_ input: Int32, holding signals: [Int32]) throws(PlatformError) {
        self.input = input
        self.signals = try HeldSignals(signals)
    }

    /// Waits.
    ///
    /// - Parameters:
    ///   - others: descriptors that are waited for too.
    ///   - deadline: ends the wait; nil for no end.
    /// - Returns: the events; none after the deadline.
    package func wait(for others: [Int32] = [], until deadline: ContinuousClock.Instant? = nil) -> [Event] {
        var entries = ([input, signals.descriptor] + others).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let ready = poll(&entries, nfds_t(entries.count), timeout(deadline))
        var events: [Event] = []
        while let signal = signals.next() { events.append(.signal(signal)) }
        guard ready > 0 else { return events + (ready == 0 ? decoder.flush().map { [.key($0)] } ?? [] : []) }
        events += entries.dropFirst(2).filter { $0.revents != 0 }.map { .ready($0.fd) }
        guard entries[0].revents != 0 else { return events }
        let bytes = read()
        return events + (bytes.isEmpty ? [.end] : decoder.keys(for: bytes).map(Event.key))
    }

    /// The timeout for poll(2); infinite if nothing is due.
    private func timeout(_ deadline: ContinuousClock.Instant?) -> Int32 {
        let waits = [deadline.map { $0 - .now }, decoder.isUndecided ? Self.keyPause : nil].compactMap(\.self)
        guard let next = waits.min() else { return -1 }
        // Rounded up, so that the deadline has passed when poll(2) returns.
        return Int32(min(max(0, next / .milliseconds(1)), 100_000)) + 1
    }

    /// - Returns: the bytes of keys; empty at end of file.
    private func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = Glibc.read(input, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            return Array(buffer.prefix(max(0, count)))
        }
    }
}
