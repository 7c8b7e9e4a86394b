// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Keeps the books of the room that discovered endpoints take, so that each look at it costs the same however many there
/// are.
struct Room: Sendable {
    /// One endpoint that was only discovered.
    struct Guest {
        let id: EndpointID
        let number: UInt64
        let finder: HostName?
    }

    /// Endpoints that were only discovered.
    private(set) var discovered = 0
    /// How many of them each host has.
    private var shares: [HostName: Int] = [:]
    /// What all sightings take.
    var bytes = 0
    /// The discovered ones, oldest first, with some among them that are gone or kept by now.
    private var queue: [(number: UInt64, id: EndpointID)] = []
    private var start = 0

    /// How long the queue is, with those that are gone: at most twice those that are there, and 64, plus one.
    var queued: Int { queue.count }

    mutating func enter(_ guest: Guest) {
        discovered += 1
        if let host = guest.finder { shares[host, default: 0] += 1 }
        queue.append((guest.number, guest.id))
    }

    mutating func leave(_ guest: Guest) {
        discovered -= 1
        guard let host = guest.finder, let share = shares[host] else { return }
        shares[host] = share > 1 ? share - 1 : nil
    }

    /// Whether a host may have one more: at most half of what others leave it, but one in any case.
    func isOpen(to host: HostName, of limit: Int) -> Bool {
        let share = shares[host] ?? 0
        return share == 0 || 2 * (share + 1) <= limit - (discovered - share)
    }

    /// Takes out the oldest that `isDiscovered` still holds for.
    mutating func oldest(where isDiscovered: (UInt64, EndpointID) -> Bool) -> EndpointID? {
        defer { moveUp(where: isDiscovered) }
        while start < queue.count {
            let (number, id) = queue[start]
            start += 1
            if isDiscovered(number, id) { return id }
        }
        return nil
    }

    /// Lets go of those that are gone, once they outnumber the others. To be called before each `enter`: endpoints that
    /// come and go would make the queue grow for as long as it takes to fill the room.
    mutating func moveUp(where isDiscovered: (UInt64, EndpointID) -> Bool) {
        guard queue.count > 2 * discovered + 64 else { return }
        queue = queue[start...].filter { isDiscovered($0.number, $0.id) }
        start = 0
    }
}
