// SPDX-License-Identifier: Apache-2.0

import JSON

/// One call as a service sees it, whatever format it came in.
package struct ServerCall: Sendable {
    private enum Parameters: Sendable {
        case binary(BinMessageReader)
        case json(JSONObject)
    }

    package let clientID: ClientID
    package let service: String
    package let method: String
    private let encoded: Parameters

    init(_ request: RequestMessage) {
        clientID = request.clientID
        service = request.service
        method = request.method
        encoded = .binary(request.parameters)
    }

    init(_ request: JSONRequest) {
        clientID = request.clientID
        service = request.service
        method = request.method
        encoded = .json(request.parameters)
    }

    /// The values of the parameters that the method declares, in order.
    ///
    /// - Throws: `malformed` for bytes that are not such values, and in JSON for a parameter that is missing.
    package func parameters(
        _ declared: [NamedType],
        _ catalog: StructCatalog = StructCatalog()
    ) throws(RemotingError) -> [RemotingValue] {
        switch encoded {
        case .json(let members): return try members.values(declared, catalog)
        case .binary(var reader):
            var values: [RemotingValue] = []
            for named in declared { values.append(try reader.readValue(named.type, catalog)) }
            return values
        }
    }
}
