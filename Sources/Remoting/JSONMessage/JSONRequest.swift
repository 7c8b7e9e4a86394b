// SPDX-License-Identifier: Apache-2.0

package import JSON
package import NIOCore

/// A request as JSON (docs/wire.md, "JSON messages").
package struct JSONRequest: Sendable {
    /// The code that stands behind the parameters of a poll.
    private static let poll = Int64(MessageKind.poll.rawValue)
    private static let pollMethod = "poll"
    private static let eventLimit = "MaxMessageCount"

    package let clientID: ClientID
    package let service: String
    package let method: String
    /// By name.
    package let parameters: JSONObject
    package let isPoll: Bool

    package init(clientID: ClientID, service: String, method: String, parameters: JSONObject) {
        self.clientID = clientID
        self.service = service
        self.method = method
        self.parameters = parameters
        isPoll = false
    }

    /// A poll for events. It names a service, as the vendor's client does.
    package init(polling service: String, clientID: ClientID, eventLimit: Int32) {
        self.clientID = clientID
        self.service = service
        method = Self.pollMethod
        parameters = [Self.eventLimit: .integer(Int64(eventLimit))]
        isPoll = true
    }

    /// - Throws: `malformed`, `tooLarge` or `aesEnvelope`. A message of another type than a request or a poll is malformed.
    package init(decoding bytes: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) {
        let message = try JSONText.object(bytes, limits: limits)
        guard let clientID = message["id"]?.stringValue.flatMap(ClientID.init(text:)) else {
            throw .malformed(reason: "id is not a GUID")
        }
        guard let name = message["method"]?.stringValue, let dot = name.lastIndex(of: ".") else {
            throw .malformed(reason: "method without a service")
        }
        guard name.utf8.count <= 2 * RequestMessage.nameLimit else {
            throw .malformed(reason: "name longer than \(2 * RequestMessage.nameLimit) bytes")
        }
        guard let parameters = (message["params"] ?? .object([:])).objectValue else {
            throw .malformed(reason: "params is not an object")
        }
        switch message["type"] {
        case nil, .null, .integer(0): isPoll = false
        case .integer(Self.poll): isPoll = true
        default: throw .malformed(reason: "not a request")
        }
        self.clientID = clientID
        service = String(name[..<dot])
        method = String(name[name.index(after: dot)...])
        self.parameters = parameters
    }

    /// What a poll asks for, if the message is one.
    ///
    /// - Throws: `malformed` for a number of events that is none.
    package func poll() throws(RemotingError) -> PollRequest? {
        guard isPoll else { return nil }
        guard let limit = parameters[Self.eventLimit]?.integerValue.flatMap(Int32.init(exactly:)), limit >= 0 else {
            throw .malformed(reason: "no number of events")
        }
        return PollRequest(clientID: clientID, eventLimit: limit)
    }

    package func encoded() -> ByteBuffer {
        var message: JSONObject = [
            "id": .string(clientID.revealedText()), "method": .string("\(service).\(method)"),
            "params": .object(parameters),
        ]
        if isPoll { message["type"] = .integer(Self.poll) }
        return JSONText.bytes(of: message)
    }
}
