// SPDX-License-Identifier: Apache-2.0

public import JSON

/// What a table shows of an endpoint, out of its `EndpointRecord`: a list of a thousand is read in a fraction of the time.
public struct EndpointSummary: Sendable, Hashable {
    /// What a call has to keep of its reply for these to be read: the argument of `DaemonClient.call`.
    public static let members: Set = [
        "endpoints", "endpoint", "id", "name", "origin", "state", "url", "announcedUrl", "hidden",
    ]

    public let id: String
    /// Foreign text: escape it before a terminal sees it.
    public let name: String
    public let origin: EndpointRecord.Origin
    public let state: EndpointRecord.State
    public let url: String
    /// What it is announced as, where it was added with another scheme or path than that.
    public let announcedUrl: String?
    /// The user does not want to see it in lists.
    public let hidden: Bool

    public init(_ record: EndpointRecord) {
        id = record.id
        name = record.name
        origin = record.origin
        state = record.state
        url = record.url
        announcedUrl = record.announcedUrl
        hidden = record.hidden
    }

    /// - Parameter json: that of an `EndpointRecord`.
    public init(json: JSONObject) throws(JSONShapeError) {
        id = try json.string("id")
        name = try json.string("name")
        origin = try json.word("origin")
        state = try json.word("state")
        url = try json.string("url")
        announcedUrl = try json.optionalString("announcedUrl")
        hidden = try json.bool("hidden")
    }
}
