// SPDX-License-Identifier: Apache-2.0

import LocalAPI

/// The servers, which of them are shown in which order, and which one is chosen.
struct TopList {
    /// Where an endpoint stands in the order.
    private struct Place: Comparable {
        let name: String
        let id: String

        init(_ endpoint: RegistryAPI.Endpoint) { (name, id) = (endpoint.name, endpoint.id) }

        static func < (one: Place, other: Place) -> Bool { (one.name, one.id) < (other.name, other.id) }
    }

    private(set) var endpoints: [String: RegistryAPI.Endpoint] = [:]
    private var shown: [Place] = []
    private var chosenID: String?
    /// The first row on the screen.
    private(set) var firstRow = 0

    var showsHidden = false { didSet { arrange() } }
    /// Shown is what has this in its name, URL or state, in either case; all for an empty one.
    var filter = "" { didSet { arrange() } }

    /// How many are shown.
    var count: Int { shown.count }

    var hiddenCount: Int { endpoints.values.count { $0.hidden } }

    var chosen: RegistryAPI.Endpoint? { chosenID.flatMap { endpoints[$0] } }

    var chosenRow: Int? { chosen.flatMap { row(of: Place($0)) } }

    /// - Parameter rows: those that the screen has room for.
    func visible(_ rows: Int) -> [RegistryAPI.Endpoint] {
        shown.dropFirst(firstRow).prefix(rows).compactMap { endpoints[$0.id] }
    }

    mutating func replaceAll(_ all: [RegistryAPI.Endpoint]) {
        endpoints = Dictionary(all.map { ($0.id, $0) }) { $1 }
        arrange()
    }

    /// - Returns: what was known of it before.
    @discardableResult
    mutating func put(_ endpoint: RegistryAPI.Endpoint) -> RegistryAPI.Endpoint? {
        let row = chosenRow
        let old = remove(endpoint.id)
        endpoints[endpoint.id] = endpoint
        if isShown(endpoint) {
            let place = Place(endpoint)
            shown.insert(place, at: firstIndex(notBefore: place))
        }
        keepChoice(near: row)
        return old
    }

    mutating func drop(_ id: String) {
        let row = chosenRow
        remove(id)
        keepChoice(near: row)
    }

    mutating func move(by rows: Int) {
        guard !shown.isEmpty else { return }
        let row = min(max((chosenRow ?? 0) + rows, 0), shown.count - 1)
        chosenID = shown[row].id
    }

    /// Scrolls as little as it takes to have the chosen row on a screen with so many.
    mutating func scroll(rows: Int) {
        guard rows > 0 else { return }
        if let row = chosenRow { firstRow = min(max(firstRow, row - rows + 1), row) }
        firstRow = max(0, min(firstRow, shown.count - rows))
    }

    private func isShown(_ endpoint: RegistryAPI.Endpoint) -> Bool {
        guard showsHidden || !endpoint.hidden else { return false }
        guard !filter.isEmpty else { return true }
        let wanted = filter.lowercased()
        return [endpoint.name, endpoint.url, endpoint.state.rawValue].contains { $0.lowercased().contains(wanted) }
    }

    private mutating func arrange() {
        let row = chosenRow
        shown = endpoints.values.filter { isShown($0) }.map { Place($0) }.sorted()
        keepChoice(near: row)
    }

    /// Takes it out of the order too. The choice stays as it is, since the server may come back at once.
    @discardableResult
    private mutating func remove(_ id: String) -> RegistryAPI.Endpoint? {
        guard let old = endpoints.removeValue(forKey: id) else { return nil }
        if let row = row(of: Place(old)) { shown.remove(at: row) }
        return old
    }

    /// A choice that is not shown any more goes to what stands in its place.
    private mutating func keepChoice(near row: Int?) {
        if chosenRow == nil { chosenID = shown.isEmpty ? nil : shown[min(row ?? 0, shown.count - 1)].id }
    }

    private func row(of place: Place) -> Int? {
        let index = firstIndex(notBefore: place)
        return index < shown.count && shown[index] == place ? index : nil
    }

    private func firstIndex(notBefore place: Place) -> Int {
        var (low, high) = (0, shown.count)
        while low < high {
            let middle = (low + high) / 2
            if shown[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The open adapters, and what they tell of sessions.
struct TopAdapters {
    struct Use: Hashable {
        var sessions = 0
        var adapters = 0
    }

    /// Oldest first.
    private(set) var all: [BrokerAPI.Adapter] = []

    mutating func replaceAll(_ adapters: [BrokerAPI.Adapter]) { all = adapters }

    mutating func put(_ adapter: BrokerAPI.Adapter) {
        drop(adapter.id)
        all.append(adapter)
    }

    mutating func drop(_ id: String) { all.removeAll { $0.id == id } }

    /// By the id of the endpoint. Adapters of one login share a session, unless they have one of their own.
    var use: [String: Use] {
        var use: [String: Use] = [:]
        var shared: Set<[String]> = []
        for adapter in all {
            guard let endpoint = adapter.endpoint else { continue }
            use[endpoint, default: Use()].adapters += 1
            guard let login = adapter.login else { continue }
            if adapter.ownSession || shared.insert([endpoint, login]).inserted {
                use[endpoint, default: Use()].sessions += 1
            }
        }
        return use
    }
}
