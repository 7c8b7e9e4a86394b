// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI

/// The reply to `Registry.List` as JSON text, written endpoint by endpoint: as a tree of JSON values a list of 1,000 would
/// take several times its length, and leave the heap full of holes.
struct EndpointListText: Sendable {
    private var elements: [UInt8] = []

    mutating func append(_ endpoint: Endpoint) {
        if !elements.isEmpty { elements.append(UInt8(ascii: ",")) }
        EndpointRecord(endpoint).json.serialize(into: &elements)
    }

    /// The text of one object.
    consuming func parameters(revision: UInt64) -> [UInt8] {
        var text = Array("{\"revision\":\(revision),\"endpoints\":[".utf8)
        text.reserveCapacity(text.count + elements.count + 2)
        text += elements
        text += "]}".utf8
        return text
    }
}
