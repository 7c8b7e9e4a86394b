// SPDX-License-Identifier: Apache-2.0

public import JSON

/// One endpoint as `org.relativityd.Registry` shows it.
public struct EndpointRecord: APIMessage {
    public enum Origin: String, Sendable, Hashable, CaseIterable {
        case discovered, manual, imported, configured
    }

    public enum State: String, Sendable, Hashable, CaseIterable {
        case unknown, announced, stale, reachable, unreachable, conflict
    }

    public enum Probe: String, Sendable, Hashable, CaseIterable {
        case on, off
    }

    public var id: String
    /// Foreign text: escape it before a terminal sees it.
    public var name: String
    public var origin: Origin
    public var state: State
    public var stateReason: String?
    /// Since 1970; nil in states that no attempt to reach the server led to.
    public var stateSince: Int64?
    /// Since 1970: when an earlier run of the daemon last found it so; nil once this one has tried.
    public var stateHeard: Int64?
    public var url: String
    /// What it is announced as, where it was added with another scheme or path than that.
    public var announcedUrl: String?
    public var scheme: String
    /// Foreign text.
    public var host: String
    public var port: Int64
    public var path: String
    /// IPv4 first.
    public var addresses: [String]
    public var interfaces: [String]
    /// Names of the sources that sight it: `avahi`, `dns:DOMAIN`, `etcd:NAME`.
    public var sources: [String]
    public var dataService: String
    public var loginService: String
    public var serviceType: String?
    public var domain: String?
    /// Foreign text.
    public var txt: [String]
    public var probe: Probe
    /// The user does not want to see it in lists.
    public var hidden: Bool
    /// Calls that may change something are refused.
    public var readOnly = false
    /// Only grants lead to it, and no adapters.
    public var grantsOnly = false
    /// Sessions may be handed out.
    public var sessionExport = false
    /// The user agrees to each adapter, grant and session first.
    public var confirm = false
    /// Logins go to a process of this machine although the kernel does not tell which user's it is.
    public var acceptUnknownOwner = false
    /// The domain that a login to it is usually for, where a file said so.
    public var loginDomain: String?
    /// The schema that a login to it is usually for, where a file said so.
    public var loginSchema: String?

    public init(
        id: String,
        name: String,
        origin: Origin,
        state: State,
        stateReason: String?,
        stateSince: Int64?,
        stateHeard: Int64?,
        url: String,
        announcedUrl: String? = nil,
        scheme: String,
        host: String,
        port: Int64,
        path: String,
        addresses: [String],
        interfaces: [String],
        sources: [String],
        dataService: String,
        loginService: String,
        serviceType: String?,
        domain: String?,
        txt: [String],
        probe: Probe,
        hidden: Bool,
        loginDomain: String? = nil,
        loginSchema: String? = nil
    ) {
        self.id = id
        self.name = name
        self.origin = origin
        self.state = state
        self.stateReason = stateReason
        self.stateSince = stateSince
        self.stateHeard = stateHeard
        self.url = url
        self.announcedUrl = announcedUrl
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.addresses = addresses
        self.interfaces = interfaces
        self.sources = sources
        self.dataService = dataService
        self.loginService = loginService
        self.serviceType = serviceType
        self.domain = domain
        self.txt = txt
        self.probe = probe
        self.hidden = hidden
        self.loginDomain = loginDomain
        self.loginSchema = loginSchema
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        id = try json.string("id")
        name = try json.string("name")
        origin = try json.word("origin")
        state = try json.word("state")
        stateReason = try json.optionalString("stateReason")
        stateSince = try json.optionalInteger("stateSince")
        stateHeard = try json.optionalInteger("stateHeard")
        url = try json.string("url")
        announcedUrl = try json.optionalString("announcedUrl")
        scheme = try json.string("scheme")
        host = try json.string("host")
        port = try json.integer("port")
        path = try json.string("path")
        addresses = try json.strings("addresses")
        interfaces = try json.strings("interfaces")
        sources = try json.strings("sources")
        dataService = try json.string("dataService")
        loginService = try json.string("loginService")
        serviceType = try json.optionalString("serviceType")
        domain = try json.optionalString("domain")
        txt = try json.strings("txt")
        probe = try json.word("probe")
        hidden = try json.bool("hidden")
        readOnly = try json.bool("readOnly")
        grantsOnly = try json.bool("grantsOnly")
        sessionExport = try json.bool("sessionExport")
        confirm = try json.bool("confirm")
        acceptUnknownOwner = try json.bool("acceptUnknownOwner")
        loginDomain = try json.optionalString("loginDomain")
        loginSchema = try json.optionalString("loginSchema")
    }

    public var json: JSONObject {
        var object = JSONObject()
        tell(&object)
        return object
    }

    /// Appends what `json` would be as text, which takes a fraction of the time: a list has thousands of these.
    public func serialize(into bytes: inout [UInt8]) {
        var text = JSONObjectText(after: bytes)
        // Else the bytes would be copied.
        bytes = []
        tell(&text)
        bytes = text.finish()
    }

    private func tell(_ members: inout some JSONMembers) {
        members.add("id", id)
        members.add("name", name)
        members.add("origin", origin.rawValue)
        members.add("state", state.rawValue)
        members.add("stateReason", stateReason)
        members.add("stateSince", stateSince)
        members.add("stateHeard", stateHeard)
        members.add("url", url)
        members.add("announcedUrl", announcedUrl)
        members.add("scheme", scheme)
        members.add("host", host)
        members.add("port", port)
        members.add("path", path)
        members.add("addresses", addresses)
        members.add("interfaces", interfaces)
        members.add("sources", sources)
        members.add("dataService", dataService)
        members.add("loginService", loginService)
        members.add("serviceType", serviceType)
        members.add("domain", domain)
        members.add("txt", txt)
        members.add("probe", probe.rawValue)
        members.add("hidden", hidden)
        members.add("readOnly", readOnly)
        members.add("grantsOnly", grantsOnly)
        members.add("sessionExport", sessionExport)
        members.add("confirm", confirm)
        members.add("acceptUnknownOwner", acceptUnknownOwner)
        members.add("loginDomain", loginDomain)
        members.add("loginSchema", loginSchema)
    }
}
