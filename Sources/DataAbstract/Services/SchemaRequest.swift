// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import Remoting

/// The GetSchema call of a data service.
package enum SchemaRequest {
    package static let method = "GetSchema"

    package static func encode(
        clientID: ClientID,
        serviceName: String = DataService.defaultName,
        filter: String = ""
    ) -> ByteBuffer {
        var writer = RequestMessage.writer(clientID: clientID, service: serviceName, method: method)
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
