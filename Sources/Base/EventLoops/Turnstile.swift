// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Lets callers through in the order in which they arrive, a limited number at a time in each line. On its event loop only.
package final class Turnstile<Line: Hashable & Sendable>: Sendable {
    package typealias Ticket = TurnstileLines<Line>.Ticket

    private let loop: any EventLoop
    private let lines: NIOLoopBoundBox<TurnstileLines<Line>>
    private let waiting: NIOLoopBoundBox<[Ticket: EventLoopPromise<Void>]>

    /// - Parameter width: the number of callers that have their turn at a time, in each line.
    package init(width: Int = 1, on loop: any EventLoop) {
        self.loop = loop
        lines = .makeBoxSendingValue(TurnstileLines(width: width), eventLoop: loop)
        waiting = .makeBoxSendingValue([:], eventLoop: loop)
    }

    /// The number of callers that wait, in all lines.
    package var waitingCount: Int { waiting.value.count }

    /// Joins a line. If `wait` then returns, call `leave` once.
    package func enter(_ line: Line) -> Ticket {
        let (ticket, hasTurn) = lines.value.enter(line)
        if !hasTurn { waiting.value[ticket] = loop.makePromise() }
        return ticket
    }

    /// Waits for the turn of a ticket.
    ///
    /// - Throws: the error of `withdraw` or `disperse`, or `CancellationError` as soon as the task is cancelled. The
    ///   ticket has then left the line.
    package func wait(_ ticket: Ticket) async throws {
        guard let turn = waiting.value[ticket] else { return }
        try await withTaskCancellationHandler {
            try await turn.futureResult.get()
        } onCancel: {
            loop.execute { self.withdraw(ticket, CancellationError()) }
        }
    }

    /// Removes a ticket that waits, and fails its `wait`. A turn is not ended.
    package func withdraw(_ ticket: Ticket, _ error: any Error) {
        guard let turn = waiting.value.removeValue(forKey: ticket) else { return }
        _ = lines.value.leave(ticket)
        turn.fail(error)
    }

    /// Ends a turn. The next caller in the line has its turn.
    package func leave(_ ticket: Ticket) {
        guard let next = lines.value.leave(ticket) else { return }
        waiting.value.removeValue(forKey: next)?.succeed()
    }

    /// Ends a turn, and fails all callers that wait in the line.
    package func disperse(_ ticket: Ticket, _ error: any Error) {
        for other in lines.value.disperse(ticket) { waiting.value.removeValue(forKey: other)?.fail(error) }
    }
}

/// The lines of a turnstile. The first tickets of a line have their turn.
package struct TurnstileLines<Line: Hashable & Sendable>: Sendable {
    /// A place in a line.
    package struct Ticket: Hashable, Sendable {
        /// The line.
        package let line: Line
        private let number: Int

        fileprivate init(_ line: Line, _ number: Int) {
            self.line = line
            self.number = number
        }
    }

    private let width: Int
    private var lines: [Line: [Ticket]] = [:]
    private var last = 0

    /// - Parameter width: the number of tickets that have their turn at a time, in each line.
    package init(width: Int = 1) {
        self.width = width
    }

    /// Whether all lines are empty.
    package var isEmpty: Bool { lines.isEmpty }

    /// Adds a ticket to a line.
    package mutating func enter(_ line: Line) -> (ticket: Ticket, hasTurn: Bool) {
        last += 1
        let ticket = Ticket(line, last)
        lines[line, default: []].append(ticket)
        return (ticket, lines[line, default: []].count <= width)
    }

    /// Removes a ticket. Does nothing if it has left already.
    ///
    /// - Returns: the ticket that has its turn now instead.
    package mutating func leave(_ ticket: Ticket) -> Ticket? {
        guard var line = lines[ticket.line], let place = line.firstIndex(of: ticket) else { return nil }
        line.remove(at: place)
        lines[ticket.line] = line.isEmpty ? nil : line
        return place < width && line.count >= width ? line[width - 1] : nil
    }

    /// Removes a whole line.
    ///
    /// - Returns: the tickets that waited; none unless this one has its turn.
    package mutating func disperse(_ ticket: Ticket) -> [Ticket] {
        guard let line = lines[ticket.line], line.prefix(width).contains(ticket) else { return [] }
        lines[ticket.line] = nil
        return Array(line.dropFirst(width))
    }
}
