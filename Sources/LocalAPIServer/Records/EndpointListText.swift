// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI

/// A reply with a list of endpoints as JSON text, written endpoint by endpoint: as a tree of JSON values a list of 1,000
/// would take several times its length, and leave the heap full of holes.
struct EndpointListText: Sendable {
    /// What most endpoints take.
    private static let usualBytes = 640

    private var text: [UInt8] = []
    private var isEmpty = true

    /// - Parameters:
    ///   - members: what comes before the list in its object, as text.
    ///   - count: how many endpoints there are, about.
    init(after members: String, count: Int) {
        text.reserveCapacity(members.utf8.count + Self.usualBytes * (count + 1))
        text += "{\(members),\"endpoints\":[".utf8
    }

    mutating func append(_ endpoint: Endpoint) {
        if !isEmpty { text.append(UInt8(ascii: ",")) }
        isEmpty = false
        RegistryAPI.Endpoint(endpoint).serialize(into: &text)
    }

    /// The text of one object.
    consuming func finish() -> [UInt8] {
        text += "]}".utf8
        return text
    }
}
