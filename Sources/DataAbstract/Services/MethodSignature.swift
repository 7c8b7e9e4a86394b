// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import Remoting

/// What a method takes and answers, in the order of its declaration.
package struct MethodSignature: Hashable, Sendable {
    package let name: String
    /// The In and InOut parameters.
    package let parameters: [NamedType]
    /// The result, named `Result`, then the InOut and Out parameters.
    package let results: [NamedType]

    package init(_ name: String, _ parameters: [NamedType] = [], results: [NamedType] = []) {
        self.name = name
        self.parameters = parameters
        self.results = results
    }

    /// - Parameter values: one for each parameter, in order.
    package func request(_ values: [RemotingValue] = [], service: String, clientID: ClientID) -> ByteBuffer {
        var writer = RequestMessage.writer(clientID: clientID, service: service, method: name)
        for value in values { writer.write(value) }
        return writer.buffer
    }

    /// - Throws: `RemotingError`.
    package func results(
        of reply: ByteBuffer,
        limits: WireLimits = .standard
    ) throws(RemotingError) -> [RemotingValue] {
        var reader = try ReplyMessage.values(of: reply, limits: limits)
        var values: [RemotingValue] = []
        for result in results { values.append(try reader.readValue(result.type, ServiceCatalog.structs)) }
        return values
    }
}
