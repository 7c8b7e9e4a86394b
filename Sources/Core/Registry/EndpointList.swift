// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// The endpoints at one moment, in the order of their names. Each is made when it is asked for: thousands of them take
/// several times the memory of the stored facts, and longer than one turn of the loop.
///
/// Release the list soon. The next change of the registry copies the facts that a list refers to.
package struct EndpointList: Sendable {
    /// Nil if `others` has all endpoints.
    private let table: EndpointTable?
    /// Endpoints that have another state than in the table; nil for those that the list does not have.
    private let others: [EndpointID: Endpoint?]
    /// The IDs, by name, then ID.
    package let ids: [EndpointID]

    /// The endpoints of the table with other states.
    init(_ table: EndpointTable?, besides others: [EndpointID: Endpoint?] = [:]) {
        self.table = table
        self.others = others
        var names = others.values.compactMap { other in other.map { (name: $0.name, id: $0.id) } }
        for facts in table?.all ?? [:].values where others[facts.id] == nil { names.append((facts.name, facts.id)) }
        ids = names.sorted { ($0.name, $0.id.text) < ($1.name, $1.id.text) }.map(\.id)
    }

    /// The endpoint with an ID of the list.
    package subscript(id: EndpointID) -> Endpoint? { others[id] ?? table?.endpoint(id) }

    /// All endpoints.
    package var endpoints: [Endpoint] { ids.compactMap { self[$0] } }
}

extension EndpointList: Equatable, ExpressibleByArrayLiteral {
    /// A list of these endpoints.
    package init(_ endpoints: [Endpoint]) {
        self.init(nil, besides: Dictionary(endpoints.map { ($0.id, $0) }) { $1 })
    }

    /// A list of these endpoints.
    package init(arrayLiteral endpoints: Endpoint...) { self.init(endpoints) }

    /// Whether two lists have equal endpoints.
    package static func == (left: EndpointList, right: EndpointList) -> Bool { left.endpoints == right.endpoints }
}
