// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TestSupport

@testable import Registry

/// One random sequence of events and user actions, in a world so small that many of them collide.
struct RandomRun {
    /// The number of occurrences of each situation over all sequences. A test that never reaches a limit proves nothing
    /// about it.
    struct Tally {
        var steps = 0
        var changes = 0
        var conflicts = 0
        var merged = 0
        var remembered = 0
        var counters = RegistryCounters()
    }

    private(set) var tally = Tally()
    private var world: RandomWorld
    private var state: RegistryState
    private var model: RegistryModel
    private var fold: [EndpointID: Endpoint] = [:]
    private var saved: SavedEndpoint?
    private var problem: String?

    init(seed: UInt64) {
        world = RandomWorld(seed: seed)
        let limits = world.limits
        state = RegistryState(limits: limits, deriveID: RandomWorld.derive)
        state.table.pending.isRecording = true
        model = RegistryModel(limits: limits, deriveID: RandomWorld.derive)
    }

    /// - Parameter isThorough: checks after every step, to find the first wrong one.
    /// - Returns: the fault after `steps` steps, or nil.
    mutating func run(steps: Int, isThorough: Bool = false) -> String? {
        for step in 0..<steps {
            let action = act()
            let isDrained = world.chance(3)
            if isThorough { _ = compare() }
            if isDrained { drain() }
            if let problem { return "step \(step), \(action()): \(problem)" }
        }
        let list = compare()
        checkChanges(against: list)
        count(steps, list)
        return problem
    }

    private mutating func checkChanges(against list: [Endpoint]) {
        let told = RegistryModel.sorted(Array(fold.values))
        let sent = state.table.sentEndpoints.endpoints
        if sent != told { problem = "what watchers were sent is not known\n\(sent)\n\(told)" }
        drain()
        let folded = RegistryModel.sorted(Array(fold.values))
        if list != folded { problem = "the fold differs\n\(list)\n\(folded)" }
    }

    /// - Returns: the list, which equals the model's if there is no fault.
    private mutating func compare() -> [Endpoint] {
        let list = state.endpoints
        if state.count != list.count { problem = "counted \(state.count) of \(list.count)" }
        if list != model.endpoints { problem = "the model differs\n\(list)\n\(model.endpoints)" }
        if let broken = invariant() { problem = broken }
        return list
    }

    /// Checks invariants that hold for any rules.
    private func invariant() -> String? {
        let limits = model.limits
        let servers = model.servers
        if servers.count(where: { !$0.isKept }) > limits.discovered { return "too many discovered" }
        if servers.count(where: { $0.entry != nil }) > limits.kept { return "too many added" }
        if servers.count(where: { $0.memory != nil }) > limits.kept { return "too many remembered" }
        if servers.contains(where: { $0.live.count > limits.sightingsPerEndpoint }) { return "too many sightings" }
        let bytes = servers.flatMap(\.live).reduce(0) { $0 + TrackedSighting.cost(of: $1.sighting) }
        if bytes > limits.sightingBytes { return "too many bytes" }
        if state.table.quota.bytes != bytes { return "\(state.table.quota.bytes) bytes booked, \(bytes) there" }
        if state.table.quota.discovered != servers.count(where: { !$0.isKept }) { return "the quota is wrong" }
        let same = (state.counters.dropped, state.counters.evicted, state.counters.cut, state.counters.malformed)
        if same != (model.dropped, model.evicted, model.cut, model.malformed) { return "the counters differ: \(same)" }
        return nil
    }

    private mutating func drain() {
        while let change = state.table.nextChange() {
            tally.changes += 1
            if !apply(change) { problem = "\(change) does not follow" }
        }
    }

    private mutating func apply(_ change: RegistryChange) -> Bool {
        let old = fold[change.endpoint.id]
        switch change {
        case .added(let endpoint):
            fold[endpoint.id] = endpoint
            return old == nil
        case .changed(let endpoint):
            fold[endpoint.id] = endpoint
            return old != nil && old != endpoint
        case .removed(let endpoint):
            fold[endpoint.id] = nil
            return old == endpoint
        }
    }

    private mutating func count(_ steps: Int, _ list: [Endpoint]) {
        tally.steps = steps
        tally.conflicts = list.count { $0.state == .conflict }
        tally.merged = list.count { $0.sources.count > 1 }
        tally.remembered = model.servers.count { $0.memory != nil }
        tally.counters = state.counters
        tally.counters.folded = state.table.pending.folded
    }
}

/// Each action returns its description as a closure, because most steps succeed and need no text.
extension RandomRun {
    private mutating func act() -> () -> String {
        switch world.number(below: 24) {
        case 0..<10: return apply(.sighted(world.sighting()))
        case 10, 11: return apply(.vanished(world.sighting().key))
        case 12: return apply(.lost(world.sighting().key))
        case 13: return apply(.settled)
        case 14: return apply(.source(world.chance(3) ? .up : .down(SourceFault(.avahiLost))))
        case 15, 16: return add()
        case 17: return remove()
        case 18: return set()
        case 19: return note()
        case 20, 21: return remember()
        case 22: return restore(isAwaited: false)
        default: return restore(isAwaited: true)
        }
    }

    private mutating func apply(_ event: SightingEvent) -> () -> String {
        let source =
            switch event {
            case .sighted(let sighting): sighting.key.source
            case .vanished(let key), .lost(let key): key.source
            default: world.source()
            }
        let kept = Set(model.servers.filter(\.isKept).map(\.id))
        model.apply(event, from: source)
        state.apply(event, from: source)
        for id in kept where !state.table.contains(id) { problem = "\(id) was kept and is gone" }
        return { "\(event) from \(source)" }
    }

    private mutating func add() -> () -> String {
        let entry = world.entry()
        let id = world.freshID()
        let isTaken = model.add(entry, id: id)
        agree(isTaken, (try? state.add(entry, id: id)) != nil)
        return { "add \(entry) \(id)" }
    }

    private mutating func remove() -> () -> String {
        let id = someID()
        agree(model.remove(id), (try? state.remove(id)) != nil)
        return { "remove \(id)" }
    }

    private mutating func set() -> () -> String {
        let id = someID()
        saved = state.saved(id)
        let settings = world.settings()
        agree(model.set(id, settings), (try? state.set(id, settings)) != nil)
        return { "set \(id) \(settings)" }
    }

    private mutating func note() -> () -> String {
        let id = someID()
        let contact = world.contact()
        let now: Int64 = world.pick([1, 1_000_000])
        model.note(contact, for: id, at: now)
        _ = state.note(contact, for: id, at: now)
        return { "note \(contact) \(id)" }
    }

    private mutating func remember() -> () -> String {
        let id = someID()
        model.remember(id)
        state.remember(id)
        saved = state.saved(id)
        return { "remember \(id)" }
    }

    /// The effect of a start, and of a change that could not be saved.
    private mutating func restore(isAwaited: Bool) -> () -> String {
        let saved = saved ?? SavedEndpoint(id: someID())
        guard saved.entry == nil || model.servers.count(where: { $0.entry != nil }) < model.limits.kept,
            saved.memory == nil || model.servers.count(where: { $0.memory != nil }) < model.limits.kept
        else { return { "" } }
        model.restore(saved, isAwaited: isAwaited)
        state.restore(saved, isAwaited: isAwaited)
        return { "put back \(saved)" }
    }

    private mutating func agree(_ model: Bool, _ state: Bool) {
        if model != state { problem = "one refused it, the other did not" }
    }

    /// An ID, usually of an existing endpoint.
    private mutating func someID() -> EndpointID {
        let ids = model.servers.map(\.id)
        return ids.isEmpty || world.chance(8) ? world.freshID() : world.pick(ids)
    }
}
