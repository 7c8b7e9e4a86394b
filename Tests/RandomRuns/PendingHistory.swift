// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
internal import NIOCore

/// All that a store keeps of a set, in a form that can be compared.
package struct KeptChanges: Equatable {
    let deltas: ByteBuffer
    package let rows: [ChangedRow]
    package let failures: [String?]
    let keys: [Int64]
    let references: [KeyReference]
    package let undecided: [ChangedRow]

    package init(_ set: ChangeSet) throws {
        deltas = try set.deltas().encoded()
        rows = set.changedRows
        failures = set.changedRows.map { set.table($0.table)?.row($0.row)?.failure }
        keys = set.tables.flatMap { [$0.nextNumbers.key, $0.nextNumbers.row] }
        references = set.references
        undecided = set.unansweredRows
    }
}

/// Changes of each kind, as a user makes them one after the other.
package enum PendingHistory {
    /// Saves a set six times, and stops while a call is sent.
    package static func run(_ save: (inout ChangeSet) throws -> Void) throws -> ChangeSet {
        var server = ModelShop.server()
        var set = try ModelShop.changes(of: server)
        try set.add(KeyReference("Other", ["A", "B"], to: "Orders", ["Id", "Status"], isKnownToServer: true))
        try set.edit("Orders") { table throws(EditError) in try table.set("Client", of: RowID(1), to: .text("Bär")) }
        try save(&set)
        try set.edit("Orders") { table throws(EditError) in
            _ = try table.append(["Client": .text("Dan")])
            try table.remove(RowID(0))
            try table.set("Status", of: RowID(2), to: .null)
        }
        try save(&set)
        try set.edit("OrderDetails") { table throws(EditError) in
            _ = try table.append(["Order": .integer(-1), "Product": .integer(5)])
        }
        try save(&set)
        try set.edit("Orders") { table throws(EditError) in
            try table.revert(RowID(0))
            try table.set("Client", of: RowID(1), to: .text("Bob"))
        }
        try save(&set)
        var effect = try set.beginApply()
        // The update fails, then the masters' details are sent.
        server.answers = [.failed]
        for call in 0..<2 {
            if case .read(let requests) = effect { effect = try set.rowsRead(requests.map { try server.read($0) }) }
            guard case .send(let deltas) = effect else { throw RunFailure("nothing is sent") }
            try save(&set)
            if call == 0 { effect = try set.replied(server.update(deltas)) }
        }
        return set
    }
}
