// SPDX-License-Identifier: Apache-2.0

package import Remoting

/// A data service of one server.
package struct DataService: Sendable {
    package static let defaultName = "DataService"

    private let channel: RemotingChannel
    private let name: String

    package init(channel: RemotingChannel, name: String = Self.defaultName) {
        self.channel = channel
        self.name = name
    }

    /// The schema of the session's domain, as XML.
    ///
    /// - Parameter filter: empty for everything.
    /// - Throws: `RemotingError` (`isSessionNotFound` if the session has gone), `CancellationError`.
    package func schema(
        clientID: ClientID,
        filter: String = "",
        deadline: Duration = .seconds(30)
    ) async throws -> String {
        let request = SchemaRequest.encode(filter: filter, service: name, clientID: clientID)
        let reply = try await channel.post(request, deadline: deadline)
        return try SchemaReply.decode(reply, limits: channel.settings.limits)
    }
}
