// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TestSupport

@testable import Registry

/// One random sequence of events and the user's actions, in a world so small that everything meets everything.
struct RandomRun {
    private static let names = ["Alpha", "ALPHA", "B\u{FC}ro", "Bu\u{308}ro", "Gamma", "Delta"]
    private static let hosts = ["srv.local", "SRV.local.", "b.local", "single"]
    private static let addresses = ["10.0.0.1", "10.0.0.2", "fe80::1%2"]
    private static let urls = [
        "10.0.0.1", "10.0.0.2", "srv.local", "single", "https://10.0.0.1:8099/x", "fe80::1%eth2", "b.local:8099",
    ]

    /// A step: what was done, whether state and model both took or both refused it, and what changed.
    private typealias Outcome = (action: String, isAgreed: Bool, changes: [RegistryChange])

    private(set) var changes = 0
    private var random: SeededRandom
    private var state: RegistryState
    private var model: RegistryModel
    private var fold: [EndpointID: Endpoint] = [:]
    private var idsMade = 0
    private var saved: (entry: ManualEntry?, settings: EndpointSettings?, id: EndpointID)?

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        var limits = RegistryLimits()
        limits.instances = 4
        limits.sightingsPerInstance = 4
        limits.manualEntries = 3
        state = RegistryState(limits: limits, deriveID: Self.derive)
        model = RegistryModel(limits: limits, deriveID: Self.derive)
    }

    private static let derivedIDs = (0..<256).compactMap { EndpointID("k\($0)") }

    /// Tells the names above apart as DNS does, without the cost of a digest.
    @Sendable private static func derive(_ instance: ServiceInstance) -> EndpointID {
        let initial = instance.name.utf8.first ?? 0
        return derivedIDs[Int(initial | 0x20) + (instance.name.utf8.count == 6 ? 128 : 0)]
    }

    /// - Returns: what is wrong after it, or nil.
    mutating func step() throws -> String? {
        let (action, isAgreed, new) = try act()
        guard isAgreed else { return "\(action): one refused it, the other did not" }
        changes += new.count
        for change in new where !apply(change) { return "\(action): \(change) does not follow" }
        let list = state.endpoints
        let folded = fold.values.sorted { ($0.name, $0.id.text) < ($1.name, $1.id.text) }
        guard list == folded else { return "\(action): the fold differs\n\(list)\n\(folded)" }
        guard state.count == list.count else { return "\(action): counted \(state.count) of \(list.count)" }
        guard list == model.endpoints else { return "\(action): the model differs\n\(list)\n\(model.endpoints)" }
        guard state.droppedSightings == model.dropped else { return "\(action): \(model.dropped) should be dropped" }
        return nil
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

    private mutating func act() throws -> Outcome {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: apply(.sighted(try sighting()))
        case 8..<11: apply(.vanished(try sighting().key))
        case 11: apply(.settled)
        case 12: apply(.source(.down(reason: "gone")))
        case 13: apply(.source(.up))
        case 14, 15: try add()
        case 16: remove()
        case 17: set()
        case 18: note()
        default: putBack()
        }
    }

    private mutating func apply(_ event: SightingEvent) -> Outcome {
        model.apply(event)
        return ("\(event)", true, state.apply(event, from: .avahi))
    }

    private mutating func add() throws -> Outcome {
        let url = try ServerURL(completing: pick(Self.urls))
        let entry = ManualEntry(name: pick(["one", "two", "three", "Alpha"]), url: url)
        let id = freshID()
        let isTaken = model.add(entry, id: id)
        let new = try? state.add(entry, id: id)
        return ("add \(entry) \(id)", isTaken == (new != nil), new ?? [])
    }

    private mutating func remove() -> Outcome {
        let id = someID()
        saved = (state.manual[id], state.settings[id], id)
        let isTaken = model.remove(id)
        let new = try? state.remove(id)
        return ("remove \(id)", isTaken == (new != nil), new ?? [])
    }

    private mutating func set() -> Outcome {
        let id = someID()
        saved = (state.manual[id], state.settings[id], id)
        let settings = EndpointSettings(
            scheme: pick([nil, .https]),
            path: pick([nil, "/x"]),
            dataService: pick([nil, "D"]),
            loginService: pick([nil, "L"])
        )
        let isTaken = model.set(id, settings)
        let new = try? state.set(id, settings)
        return ("set \(id) \(settings)", isTaken == (new != nil), new ?? [])
    }

    private mutating func note() -> Outcome {
        let id = someID()
        let contact: Contact = pick([.reached, .failed(reason: "refused"), .conflict(reason: "another key")])
        let now: Int64 = pick([1, 1_000_000])
        model.note(contact, for: id, at: now)
        return ("note \(contact) \(id)", true, state.note(contact, for: id, at: now))
    }

    /// What happens to a change that could not be saved.
    private mutating func putBack() -> Outcome {
        let (entry, settings, id) = saved ?? (nil, nil, someID())
        model.putBack(entry, settings: settings, id: id)
        return ("put back \(id)", true, state.putBack(entry, settings: settings, id: id))
    }
}

extension RandomRun {
    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func sighting() throws -> Sighting {
        try .made(
            pick(Self.names),
            type: pick(["_a._tcp", "_b._tcp"]),
            interface: pick([2, 3]),
            host: pick(Self.hosts),
            port: pick([7099, 7099, 8099]),
            address: pick(Self.addresses),
            txt: pick([[], ["v=1"]])
        )
    }

    /// Mostly one that exists.
    private mutating func someID() -> EndpointID {
        let ids = model.ids.sorted { $0.text < $1.text }
        guard !ids.isEmpty, Int.random(in: 0..<8, using: &random) > 0 else { return freshID() }
        return pick(ids)
    }

    /// Before or after the derived ones in the order of ids.
    private mutating func freshID() -> EndpointID {
        idsMade += 1
        return EndpointID("\(pick(["a", "z"]))\(idsMade)")
            ?? .derived(from: ServiceInstance(name: "", type: "", domain: ""))
    }
}
