// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Remoting

/// The kind of server that the sample server imitates: what it can do, and its exceptions.
package enum ServerKind: String, Hashable, Sendable, CaseIterable {
    /// Every call works.
    case relativity
    /// A Delphi server with default settings: no DA SQL, no commands, no SQL text.
    case delphi
    /// Like `relativity`, without access to the schema.
    case noSchema = "no-schema"
    /// Like `delphi`, without dynamic where.
    case noWhere = "no-where"

    /// Whether GetSchema, GetTableSchema and GetCommandSchema work.
    var hasSchema: Bool { self != .noSchema }
    /// Whether a table request may have a where clause.
    var hasWhere: Bool { self != .noWhere }
    /// Whether a table request may have DA SQL.
    var hasDASQL: Bool { isComplete }
    /// Whether commands and SQL texts can be executed.
    var hasCommands: Bool { isComplete }
    /// Whether GetSchema contains relationships and statements.
    var hasFullSchema: Bool { isComplete }
    /// Whether a selection of fields adds the schema to the reply.
    var selectionAddsSchema: Bool { !isComplete }

    private var isComplete: Bool { self == .relativity || self == .noSchema }

    /// Returns an exception of the data service.
    func exception(_ message: String) -> RemotingException {
        RemotingException(className: isComplete ? "Exception" : "EDAException", message: message)
    }

    /// The exception for a ClientID without a session.
    var sessionNotFound: RemotingException {
        guard !isComplete else { return .sessionNotFound }
        return RemotingException(className: "EROSessionNotFound", message: "Session could not be found.")
    }
}

/// The rule for the comparison of texts.
package enum ServerCollation: String, Hashable, Sendable, CaseIterable {
    /// By code point.
    case binary
    /// ASCII letters are equal in either case.
    case nocase
    /// By code point; spaces at the end are ignored.
    case trim
}
