// SPDX-License-Identifier: Apache-2.0

/// FIFO queues of callers that want to send a login, one queue for each login. The login of the first caller in a
/// queue is in progress.
struct LoginLines<Key: Hashable & Sendable> {
    /// A position in a queue.
    struct Ticket: Hashable, Sendable {
        let key: Key
        fileprivate let number: Int
    }

    private var lines: [Key: [Ticket]] = [:]
    private var last = 0

    /// Whether all queues are empty.
    var isEmpty: Bool { lines.isEmpty }

    /// - Returns: the ticket, and whether it is the first in the queue. If so, the login may be sent now.
    mutating func enter(_ key: Key) -> (ticket: Ticket, isFirst: Bool) {
        last += 1
        let ticket = Ticket(key: key, number: last)
        lines[key, default: []].append(ticket)
        return (ticket, lines[key]?.count == 1)
    }

    /// Removes a ticket from the front of its queue or from the waiting ones. Does nothing if the ticket has left
    /// already.
    ///
    /// - Returns: the new first ticket, if the first has changed.
    mutating func leave(_ ticket: Ticket) -> Ticket? {
        guard var line = lines[ticket.key], let place = line.firstIndex(of: ticket) else { return nil }
        line.remove(at: place)
        lines[ticket.key] = line.isEmpty ? nil : line
        return place == 0 ? line.first : nil
    }

    /// Removes the queue, because all callers in it get the result of the first.
    ///
    /// - Returns: the tickets that waited after this one; none unless this one is the first.
    mutating func disperse(_ first: Ticket) -> [Ticket] {
        guard let line = lines[first.key], line.first == first else { return [] }
        lines[first.key] = nil
        return Array(line.dropFirst())
    }
}
