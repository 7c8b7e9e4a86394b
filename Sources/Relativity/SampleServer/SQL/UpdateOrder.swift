// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// The division of deltas into parts, in the order in which a schema's update rules apply them.
struct UpdateOrder {
    /// The parts. Each has some changes of one delta.
    let deltas: [Delta]
    private let stream: DeltaStream
    /// For each part its delta, and the indices of its changes there; nil without rules, when the parts are the deltas.
    private let origins: [(delta: Int, changes: [Int])]?

    /// - Throws: `TableError`.
    init(_ rules: [ServedUpdateRule], _ stream: DeltaStream) throws(TableError) {
        self.stream = stream
        guard !rules.isEmpty else {
            (deltas, origins) = (stream.deltas, nil)
            return
        }
        var origins: [(delta: Int, changes: [Int])] = []
        for rule in rules {
            for (index, delta) in stream.deltas.enumerated() where delta.name.isSame(as: rule.table) {
                let changes = delta.changes.enumerated().filter { rule.kinds.contains($0.element.kind) }
                origins.append((index, changes.map(\.offset)))
            }
        }
        for (index, delta) in stream.deltas.enumerated()
        where !rules.contains(where: { delta.name.isSame(as: $0.table) }) {
            origins.append((index, Array(0..<delta.changes.count)))
        }
        self.origins = origins
        var deltas: [Delta] = []
        for origin in origins {
            let delta = stream.deltas[origin.delta]
            var part = delta.withoutChanges
            for index in origin.changes { try part.append(index, of: delta) }
            deltas.append(part)
        }
        self.deltas = deltas
    }

    /// Puts the applied parts together in the order of the stream. A change that no part has is failed.
    ///
    /// - Throws: `TableError`.
    func reply(_ parts: [Delta]) throws(TableError) -> DeltaStream {
        guard let origins else { return DeltaStream(parts) }
        var applied = stream.deltas.map { [(delta: Delta, index: Int)?](repeating: nil, count: $0.changes.count) }
        for (part, origin) in zip(parts, origins) {
            for (place, index) in origin.changes.enumerated() { applied[origin.delta][index] = (part, place) }
        }
        var deltas: [Delta] = []
        for (delta, changes) in zip(stream.deltas, applied) {
            var result = delta.withoutChanges
            for (index, change) in changes.enumerated() {
                if let change {
                    try result.append(change.index, of: change.delta)
                } else {
                    let message = "no update rule of the schema covers the change"
                    try result.append(index, of: delta, status: .failed, message: message)
                }
            }
            deltas.append(result)
        }
        return DeltaStream(deltas)
    }
}

extension Delta {
    fileprivate var withoutChanges: Delta { Delta(name: name, fields: fields, keys: keys, isReduced: isReduced) }

    /// Appends a change of a delta with the same fields.
    fileprivate mutating func append(_ index: Int, of other: Delta) throws(TableError) {
        let change = other.changes[index]
        try append(index, of: other, status: change.status, message: change.message)
    }
}
