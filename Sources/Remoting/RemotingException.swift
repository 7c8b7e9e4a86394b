// SPDX-License-Identifier: Apache-2.0

/// An exception message of the server (docs/wire.md, "Exception").
///
/// All texts are the server's and not made printable.
package struct RemotingException: Error, Hashable, Sendable {
    package let className: String
    package let message: String
    /// The fields of a declared exception, which only JSON carries, by name; none if the reader does not know its class.
    package let fields: [NamedValue]

    package init(className: String, message: String, fields: [NamedValue] = []) {
        self.className = className
        self.message = message
        self.fields = fields
    }

    /// The classes that Delphi and .NET servers use for a ClientID without a session.
    package var isSessionNotFound: Bool {
        className == "SessionNotFoundException" || className == "EROSessionNotFound"
    }

    /// What a .NET server answers to a call without a session.
    package static let sessionNotFound = RemotingException(
        className: "SessionNotFoundException",
        message: "Session could not be found."
    )
}
