// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import Remoting

/// The GetSchema call of a data service.
package enum SchemaRequest {
    /// The name of the method.
    package static let method = "GetSchema"
    /// The usual name of the service.
    package static let defaultService = "DataService"

    /// Encodes the call.
    ///
    /// - Parameter filter: empty for the complete schema.
    package static func encode(
        filter: String = "",
        service: String = Self.defaultService,
        clientID: ClientID
    ) -> ByteBuffer {
        var writer = RequestMessage.writer(clientID: clientID, service: service, method: method)
        writer.write(utf8: filter)
        return writer.buffer
    }
}
