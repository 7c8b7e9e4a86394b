// SPDX-License-Identifier: Apache-2.0

/// Lines of those who want to send a login, one line for each login, first come, first served. The first of a line is
/// the one whose login is in flight.
struct LoginLines<Key: Hashable & Sendable> {
    /// A place in a line.
    struct Ticket: Hashable, Sendable {
        let key: Key
        fileprivate let number: Int
    }

    private var lines: [Key: [Ticket]] = [:]
    private var last = 0

    /// No one is in any line.
    var isEmpty: Bool { lines.isEmpty }

    /// - Returns: the place, and whether it is the first: then the login may go out now.
    mutating func enter(_ key: Key) -> (ticket: Ticket, isFirst: Bool) {
        last += 1
        let ticket = Ticket(key: key, number: last)
        lines[key, default: []].append(ticket)
        return (ticket, lines[key]?.count == 1)
    }

    /// Leaves the line, be it from its front or from among those who wait. Who has left before does not count.
    ///
    /// - Returns: whose turn it is now, if this has changed.
    mutating func leave(_ ticket: Ticket) -> Ticket? {
        guard var line = lines[ticket.key], let place = line.firstIndex(of: ticket) else { return nil }
        line.remove(at: place)
        lines[ticket.key] = line.isEmpty ? nil : line
        return place == 0 ? line.first : nil
    }

    /// Ends a line, because all in it get the answer that the first has got.
    ///
    /// - Returns: those who waited behind this one; none unless it is the first.
    mutating func disperse(_ first: Ticket) -> [Ticket] {
        guard let line = lines[first.key], line.first == first else { return [] }
        lines[first.key] = nil
        return Array(line.dropFirst())
    }
}
