// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// Decides which events to emit for the contents of a list, when to emit them, and which host names to look up for
/// them.
struct ListPublication {
    enum Action: Equatable {
        case emit([SightingEvent])
        /// Show the left-out entries in the status.
        case report([SourceOmission])
        /// Call `lookedUp` with the addresses of this name.
        case lookUp(String)
        /// Call `lookUpsDue` after the interval of look-ups.
        case lookUpLater
        /// Call `waited` after the shortest interval between two emissions of changes.
        case wait
    }

    private let reader: ListReader
    private var hosts = HostBook()
    private var emitted = SightingSet()
    private var isUp = false
    /// Whether the complete list must still be emitted since the source came up.
    private var owesAll = false
    private var isWaiting = false
    /// Whether the list has changed since the wait began.
    private var hasChanged = false
    private var awaitsLookUps = false
    private var isStopped = false

    init(of list: EtcdList) {
        reader = ListReader(list: list)
    }

    /// Stops all emissions and look-ups.
    mutating func stop() { isStopped = true }

    /// Handles that the source is up or down now.
    mutating func became(_ state: SourceState) -> [Action] {
        isUp = state == .up
        owesAll = isUp
        return [.emit([.source(state)])]
    }

    /// Events for all sightings. Empty while the source is down, or must still emit the complete list.
    var currentEvents: [SightingEvent] { isUp && !owesAll ? emitted.sightedEvents : [] }

    // MARK: Changes

    /// Handles that the list may have changed. The first change is emitted immediately, and those that follow it
    /// together.
    mutating func changed(_ contents: ListContents) -> [Action] {
        guard !isStopped else { return [] }
        guard !isWaiting else {
            hasChanged = true
            return []
        }
        isWaiting = true
        return publish(contents) + [.wait]
    }

    /// Handles the end of `wait`.
    mutating func waited(_ contents: ListContents) -> [Action] {
        isWaiting = false
        guard hasChanged else { return [] }
        hasChanged = false
        return changed(contents)
    }

    /// Emits the differences between the list and the sightings that were emitted.
    mutating func publish(_ contents: ListContents) -> [Action] {
        guard !isStopped else { return [] }
        hosts.need(reader.names(in: contents))
        var actions = lookUp()
        let (sightings, unplaced) = reader.read(contents, hosts)
        let events = emitted.replace(with: sightings)
        if !events.isEmpty { actions.append(.emit(events)) }
        var omissions = contents.omissions
        if unplaced > 0, hosts.isComplete { omissions.append(.entriesUnplaced(count: unplaced)) }
        return actions + [.report(omissions)] + settle()
    }

    /// Emits the complete list if it is due. Waits until every name was looked up, because a name could still resolve
    /// to known addresses.
    private mutating func settle() -> [Action] {
        guard owesAll, hosts.isComplete else { return [] }
        owesAll = false
        return [.emit(emitted.sightedEvents + [.settled])]
    }

    // MARK: Host names

    /// Looks up a host name before all others, because its known addresses may be wrong.
    mutating func refresh(_ name: String) -> [Action] {
        hosts.renew(name)
        return lookUp()
    }

    /// Handles the result of a look-up.
    ///
    /// - Parameter addresses: nil if the look-up failed.
    mutating func lookedUp(_ name: String, _ addresses: [IPAddress]?, in contents: ListContents) -> [Action] {
        let isNews = hosts.found(addresses, for: name)
        let next = lookUp()
        return isNews ? next + changed(contents) : next
    }

    /// Handles the end of `lookUpLater`.
    mutating func lookUpsDue() -> [Action] {
        awaitsLookUps = false
        hosts.forgetAge()
        return lookUp()
    }

    private mutating func lookUp() -> [Action] {
        guard !isStopped else { return [] }
        if let name = hosts.next() { return [.lookUp(name)] }
        guard !awaitsLookUps, !hosts.isEmpty else { return [] }
        awaitsLookUps = true
        return [.lookUpLater]
    }
}

/// A cache of the addresses of the host names in entries, which are looked up one at a time.
struct HostBook {
    private var addresses: [String: [IPAddress]] = [:]
    /// The names to look up, in order.
    private var waiting: [String] = []
    private var needed: Set<String> = []
    private var isBusy = false

    /// Whether every needed name was looked up once.
    var isComplete: Bool { waiting.isEmpty && !isBusy }

    /// Returns the known addresses of a name; an empty array if it has none, or was not looked up yet.
    func addresses(of name: String) -> [IPAddress] { addresses[name] ?? [] }

    /// Sets the names that are needed from now on.
    mutating func need(_ names: Set<String>) {
        let new = names.subtracting(needed)
        needed = names
        addresses = addresses.filter { names.contains($0.key) }
        waiting = waiting.filter { names.contains($0) } + new.sorted()
    }

    /// Queues all names for another look-up. Until then the old addresses are used.
    mutating func forgetAge() {
        waiting = needed.sorted()
    }

    /// Queues one name for another look-up, before all others.
    mutating func renew(_ name: String) {
        guard needed.contains(name), !waiting.contains(name) else { return }
        waiting.insert(name, at: 0)
    }

    var isEmpty: Bool { needed.isEmpty }

    /// Returns the name to look up now; nil if there is none, or a look-up is running. `found` must be called for it.
    mutating func next() -> String? {
        guard !isBusy, !waiting.isEmpty else { return nil }
        isBusy = true
        return waiting.removeFirst()
    }

    /// Stores the result of a look-up.
    ///
    /// - Parameter list: nil if the look-up failed. The known addresses stay then.
    /// - Returns: whether a report is needed: the addresses differ, regardless of order, or the queue is empty.
    mutating func found(_ list: [IPAddress]?, for name: String) -> Bool {
        isBusy = false
        guard let list, needed.contains(name), Set(list) != Set(addresses(of: name)) else { return isComplete }
        addresses[name] = list
        return true
    }
}
