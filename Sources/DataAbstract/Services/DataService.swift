// SPDX-License-Identifier: Apache-2.0

package import Remoting

/// A data service of one server.
package struct DataService: Sendable {
    package static let defaultName = "DataService"

    private let channel: RemotingChannel
    private let name: String

    package init(_ channel: RemotingChannel, name: String = Self.defaultName) {
        self.channel = channel
        self.name = name
    }

    /// The schema of the session's domain, as XML.
    ///
    /// - Parameter filter: empty for everything.
    /// - Throws: `RemotingError` (`isSessionNotFound` if the session has gone), `CancellationError`.
    package func schema(_ clientID: ClientID, filter: String = "", deadline: Duration) async throws -> String {
        let request = SchemaRequest.encode(clientID: clientID, serviceName: name, filter: filter)
        let reply = try await channel.post(request, deadline: deadline)
        return try SchemaReply.decode(reply, limits: channel.settings.limits)
    }
}
