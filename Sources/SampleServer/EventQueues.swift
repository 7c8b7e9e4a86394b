// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Remoting

/// The events that wait for each client, oldest first.
struct EventQueues {
    /// Events kept for one client; the oldest goes when another comes.
    static let capacity = 64
    /// Bytes of the events in one reply.
    static let replyBytes = 1 << 20

    private var waiting: [ClientID: [EventMessage]] = [:]

    /// Adds an event for every client that is given.
    mutating func raise(_ event: EventMessage, for clients: some Sequence<ClientID>) {
        for client in clients {
            waiting[client, default: []].append(event)
            if waiting[client, default: []].count > Self.capacity { waiting[client]?.removeFirst() }
        }
    }

    /// Takes what a poll asks for, the first event whatever its size.
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

    /// Forgets the clients that have no session.
    mutating func keep(_ clients: Set<ClientID>) {
        waiting = waiting.filter { clients.contains($0.key) }
    }
}
