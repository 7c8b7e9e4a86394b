// SPDX-License-Identifier: Apache-2.0

/// What became of a call for which relativityd answers instead of the server: the header `Relativityd-Failure` of an adapter's
/// reply (docs/local-api.md, "An adapter's address").
package enum AdapterFailure: String, Sendable {
    /// There was no connection to the server. Nothing was sent.
    case notSent
    /// No byte of a reply came. The server may have received the call.
    case noReply
    /// The connection ended within the reply.
    case cutReply
    /// The reply is not of the protocol, or it is an exception during a login.
    case badReply

    /// The name of the header.
    package static let header = "Relativityd-Failure"
}
