// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// The record of a read: the steps of the server and of the client, and the number of rows.
package struct ReadRecord: Hashable, Sendable {
    /// The name of the table.
    package let table: String
    /// The request that the server accepted.
    package let request: TableRequest
    /// The steps that were done here, and the reasons.
    package let notes: [ReadNote]
    /// The number of rows that the server sent.
    package internal(set) var rowsRead = 0
    /// The number of rows of the result.
    package internal(set) var rowsKept = 0

    /// The steps of the query that the server did, wholly or in part.
    package var serverSteps: [ReadStep] {
        let steps: [ReadStep] =
            switch request.selection {
            case .all: []
            case .sql: [.sql]
            case .dynamic(let selection):
                (selection.condition == nil ? [] : [.filter]) + (selection.order == nil ? [] : [.sort])
                    + (selection.fields.isEmpty ? [] : [.select])
            }
        return steps + (request.rowLimit == nil ? [] : [.limit])
    }

    /// The steps that were done here.
    package var localSteps: [ReadStep] { notes.map(\.step) }

    init(_ request: TableRequest, notes: [ReadNote]) {
        table = request.table
        self.request = request
        self.notes = notes
    }
}

extension DataAdapterError {
    /// Whether the server rejected the call itself, so that a simpler one may succeed. The text does not matter.
    package var isRefusal: Bool {
        guard case .exception(let exception) = self else { return false }
        return !exception.isFromDaemon && !exception.isSessionNotFound
    }
}
