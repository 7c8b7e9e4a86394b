// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import Remoting

/// The data service of a server.
package struct DataService: Sendable {
    /// The usual name of the service.
    package static let defaultName = "DataService"

    private let channel: RemotingChannel
    private let name: String

    /// Creates a service that is called over `channel`.
    package init(channel: RemotingChannel, name: String = Self.defaultName) {
        self.channel = channel
        self.name = name
    }

    /// Fetches the schema of the session's domain as XML.
    ///
    /// - Parameter filter: empty for the complete schema.
    /// - Throws: `RemotingError` (`isSessionNotFound` if the session no longer exists), `CancellationError`.
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

/// The GetSchema call of a data service.
package enum SchemaRequest {
    /// The name of the method.
    package static let method = "GetSchema"

    /// Encodes the call.
    package static func encode(
        filter: String = "",
        service: String = DataService.defaultName,
        clientID: ClientID
    ) -> ByteBuffer {
        var writer = RequestMessage.writer(clientID: clientID, service: service, method: method)
        writer.write(utf8: filter)
        return writer.buffer
    }
}

/// The reply of a data service to GetSchema.
package enum SchemaReply {
    /// Returns the schema's XML as written by the server.
    package static func decode(_ reply: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) -> String {
        var values = try ReplyMessage.values(of: reply, limits: limits)
        return try values.readText()
    }
}
