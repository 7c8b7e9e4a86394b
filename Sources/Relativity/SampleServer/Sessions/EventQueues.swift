// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Remoting

/// The queued events of each client, oldest first.
struct EventQueues {
    /// The maximum number of events for one client. A new event then evicts the oldest.
    static let capacity = 64
    /// The maximum number of bytes of the events in one reply.
    static let replyBytes = 1 << 20

    private var waiting: [ClientID: [EventMessage]] = [:]

    /// Queues an event for each of the clients.
    mutating func raise(_ event: EventMessage, for clients: some Sequence<ClientID>) {
        for client in clients {
            waiting[client, default: []].append(event)
            if waiting[client, default: []].count > Self.capacity { waiting[client]?.removeFirst() }
        }
    }

    /// Removes and returns the events for a poll. The first event is returned whatever its size.
    mutating func take(_ poll: PollRequest) -> PollReply {
        var events: [EventMessage] = []
        var bytes = 0
        for event in (waiting[poll.clientID] ?? []).prefix(Int(poll.eventLimit)) {
            bytes += event.parameters.readableBytes
            guard events.isEmpty || bytes <= Self.replyBytes else { break }
            events.append(event)
        }
        waiting[poll.clientID]?.removeFirst(events.count)
        let left = waiting[poll.clientID]?.count ?? 0
        if left == 0 { waiting[poll.clientID] = nil }
        return PollReply(events: events, left: Int32(clamping: left))
    }

    /// Discards the events of clients that have no session.
    mutating func keep(_ clients: Set<ClientID>) {
        waiting = waiting.filter { clients.contains($0.key) }
    }
}

/// The only event of the sample server. Any client that is logged in can raise it: `DASampleService.Announce` sends
/// its text to every session.
enum SampleEvents {
    static let sink = "SampleEvents"
    static let announced = "Announced"
    /// The maximum number of bytes of a text.
    static let textLimit = 4096
    static let parameters = [NamedType("aText", .utf8String)]
}
