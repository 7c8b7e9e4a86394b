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
            let changes = Array(delta.changes)
            deltas.append(try delta.with(origin.changes.map { changes[$0] }))
        }
        self.deltas = deltas
    }

    /// Puts the applied parts together in the order of the stream. A change that no part has is failed.
    ///
    /// - Throws: `TableError`.
    func reply(_ parts: [Delta]) throws(TableError) -> DeltaStream {
        guard let origins else { return DeltaStream(parts) }
        var applied = stream.deltas.map { [DeltaChange?](repeating: nil, count: $0.changes.count) }
        for (part, origin) in zip(parts, origins) {
            for (change, index) in zip(part.changes, origin.changes) { applied[origin.delta][index] = change }
        }
        var deltas: [Delta] = []
        for (delta, changes) in zip(stream.deltas, applied) {
            var result = try delta.with([])
            for (change, sent) in zip(changes, delta.changes) {
                if let change {
                    try result.append(change)
                } else {
                    try result.append(sent, .failed, "no update rule of the schema covers the change")
                }
            }
            deltas.append(result)
        }
        return DeltaStream(deltas)
    }
}

extension Delta {
    /// The same delta with other changes.
    fileprivate func with(_ changes: [DeltaChange]) throws(TableError) -> Delta {
        var delta = Delta(name: name, fields: fields, keys: keys, isReduced: isReduced)
        for change in changes { try delta.append(change) }
        return delta
    }

    fileprivate mutating func append(
        _ change: DeltaChange,
        _ status: DeltaChange.Status? = nil,
        _ message: String? = nil
    ) throws(TableError) {
        try append(
            change.kind,
            recordID: change.recordID,
            old: Array(change.old),
            new: Array(change.new),
            status: status ?? change.status,
            message: message ?? change.message
        )
    }
}
