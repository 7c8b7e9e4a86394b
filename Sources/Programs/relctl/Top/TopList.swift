// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI
import Screens

/// The servers, their filter and order, and the chosen one.
struct TopList {
    /// The sort key of an endpoint.
    private struct Place: Comparable {
        let name: String
        let id: String

        init(_ endpoint: RegistryAPI.Endpoint) { (name, id) = (endpoint.name, endpoint.id) }

        static func < (one: Place, other: Place) -> Bool { (one.name, one.id) < (other.name, other.id) }
    }

    private(set) var endpoints: [String: RegistryAPI.Endpoint] = [:]
    private var shown: [Place] = []
    private var chosenID: String?
    /// The row of the chosen server, and the rows on the screen.
    private var cursor = ListCursor()

    var showsHidden = false { didSet { arrange() } }
    /// The text that shown servers have in their name, URL or state, ignoring case; empty for all servers.
    var filter = "" { didSet { arrange() } }

    /// The number of shown servers.
    var count: Int { shown.count }

    var hiddenCount: Int { endpoints.values.count { $0.hidden } }

    var chosen: RegistryAPI.Endpoint? { chosenID.flatMap { endpoints[$0] } }

    var chosenRow: Int? { chosen.flatMap { row(of: Place($0)) } }

    /// - Parameter rows: the number of rows on the screen.
    func visible(_ rows: Int) -> [RegistryAPI.Endpoint] {
        cursor.visible(of: count, height: rows).compactMap { endpoints[shown[$0].id] }
    }

    mutating func replaceAll(_ all: [RegistryAPI.Endpoint]) {
        endpoints = Dictionary(all.map { ($0.id, $0) }) { $1 }
        arrange()
    }

    /// - Returns: the previous record; nil for a new endpoint.
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

    /// Chooses a server if it is shown.
    mutating func choose(_ id: String) {
        if let endpoint = endpoints[id], row(of: Place(endpoint)) != nil { chosenID = id }
    }

    mutating func move(by rows: Int) {
        guard !shown.isEmpty else { return }
        let row = min(max((chosenRow ?? 0) + rows, 0), shown.count - 1)
        chosenID = shown[row].id
    }

    /// Scrolls as little as necessary to show the chosen row on a screen with `rows` rows.
    mutating func scroll(rows: Int) { cursor.select(chosenRow ?? 0, of: count, height: rows) }

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

    /// Removes an endpoint. The choice stays, because `put` may insert the endpoint again immediately.
    @discardableResult
    private mutating func remove(_ id: String) -> RegistryAPI.Endpoint? {
        guard let old = endpoints.removeValue(forKey: id) else { return nil }
        if let row = row(of: Place(old)) { shown.remove(at: row) }
        return old
    }

    /// If the chosen server is no longer shown, chooses the one in its row.
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

/// The open adapters, and the numbers of sessions derived from them.
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

    /// Numbers by endpoint ID. Adapters with the same login share a session, unless an adapter has its own.
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
