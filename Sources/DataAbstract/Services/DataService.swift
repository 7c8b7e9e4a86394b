// SPDX-License-Identifier: Apache-2.0

package import NIOCore
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

/// The GetSchema call of a data service.
package enum SchemaRequest {
    package static let method = "GetSchema"

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

/// What a data service answers to GetSchema.
package enum SchemaReply {
    /// The schema's XML, as the server wrote it.
    package static func decode(_ reply: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) -> String {
        var values = try ReplyMessage.values(of: reply, limits: limits)
        return try values.readText()
    }
}
