// SPDX-License-Identifier: Apache-2.0

public import JSON

/// The part of an endpoint that a table shows. Reading only this part of a long list takes a fraction of the time.
public struct EndpointSummary: Sendable, Hashable {
    /// The members of a reply that have to be kept for it: the argument of `DaemonClient.call`.
    public static let members: Set = [
        "endpoints", "endpoint", "id", "name", "origin", "state", "url", "announcedUrl", "hidden",
    ]

    public let id: String
    /// Foreign text: escape it before a terminal sees it.
    public let name: String
    public let origin: RegistryAPI.Endpoint.Origin
    public let state: RegistryAPI.Endpoint.State
    public let url: String
    /// The URL that the server announces, if it was added with another scheme or path.
    public let announcedUrl: String?
    /// The user does not want to see it in lists.
    public let hidden: Bool

    public init(_ endpoint: RegistryAPI.Endpoint) {
        id = endpoint.id
        name = endpoint.name
        origin = endpoint.origin
        state = endpoint.state
        url = endpoint.url
        announcedUrl = endpoint.announcedUrl
        hidden = endpoint.hidden
    }

    /// - Parameter json: that of a `RegistryAPI.Endpoint`.
    public init(json: JSONObject) throws(JSONShapeError) {
        id = try json.read("id")
        name = try json.read("name")
        origin = try json.read("origin")
        state = try json.read("state")
        url = try json.read("url")
        announcedUrl = try json.readIfPresent("announcedUrl")
        hidden = try json.read("hidden")
    }
}
