// SPDX-License-Identifier: Apache-2.0

public import Endpoints
public import JSON

/// The part of an endpoint that a table shows. Reading only this part of a long list takes a fraction of the time.
public struct EndpointSummary: Sendable, Hashable {
    /// The members of a reply that the summary needs: the argument of `DaemonClient.call`.
    public static let members: Set = [
        "endpoints", "endpoint", "id", "name", "origin", "state", "url", "announcedUrl", "hidden",
    ]

    /// The permanent ID.
    public let id: String
    /// Untrusted text. Escape it before printing it to a terminal.
    public let name: String
    /// The origin of the endpoint.
    public let origin: Origin
    /// The current state.
    public let state: EndpointState
    /// The URL to which calls are sent.
    public let url: String
    /// The announced URL; nil unless the endpoint was added with another scheme or path.
    public let announcedUrl: String?
    /// Whether the user has hidden the endpoint in lists.
    public let hidden: Bool

    /// Makes the summary of an endpoint.
    public init(_ endpoint: RegistryAPI.Endpoint) {
        id = endpoint.id
        name = endpoint.name
        origin = endpoint.origin
        state = endpoint.state
        url = endpoint.url
        announcedUrl = endpoint.announcedUrl
        hidden = endpoint.hidden
    }

    /// Reads a summary.
    ///
    /// - Parameter json: the object of a `RegistryAPI.Endpoint`.
    public init(json: JSONObject) throws(JSONShapeError) {
        id = try json.read("id")
        name = try json.read("name")
        origin = try json.read("origin")
        state = try json.read("state")
        url = try json.read("url")
        announcedUrl = try json.read("announcedUrl")
        hidden = try json.read("hidden")
    }
}
