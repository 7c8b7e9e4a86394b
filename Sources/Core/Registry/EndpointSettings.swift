// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// The settings of one endpoint that differ from Relativity's defaults. Nil keeps the default.
package struct EndpointSettings: Sendable, Hashable {
    /// The scheme of the URL.
    package var scheme: ServerURL.Scheme?
    /// The path of the URL. `ServerURL.checkedPath` has accepted it.
    package var path: String?
    /// The name of the data service. `ServiceNames.isValid` has accepted it.
    package var dataService: String?
    /// The name of the login service. `ServiceNames.isValid` has accepted it.
    package var loginService: String?
    /// Whether the daemon probes the server.
    package var probe: ProbeMode?
    /// The usual domain of its logins.
    package var loginDomain: String?
    /// The usual schema of its logins.
    package var loginSchema: String?
    /// Whether lists for the user leave the endpoint out.
    package var isHidden: Bool?
    /// Whether calls that may change data are refused.
    package var isReadOnly: Bool?
    /// Whether the endpoint can be used through grants only, and not through adapters.
    package var isForGrantsOnly: Bool?
    /// Whether the user must approve each adapter and grant before it is made.
    package var isConfirmed: Bool?
    /// Whether a login may be sent to a process of this machine even if the kernel does not report its owner.
    package var acceptsUnknownOwner: Bool?
    /// The name of the code page of text that is not Unicode. Empty only in a change, which removes it. `isCodePage` has
    /// accepted any other name.
    package var codePage: String?
    /// The name of the login that is used if no other is named. Empty only in a change, which removes it.
    package var defaultLogin: String?

    /// Settings with the values that `fill` sets; by default none.
    package init(_ fill: (inout EndpointSettings) -> Void = { _ in }) { fill(&self) }

    /// Whether every value is nil.
    package var isEmpty: Bool { self == EndpointSettings() }

    /// Whether a value other than `isHidden` is set.
    var isAboutServer: Bool {
        var others = self
        others.isHidden = nil
        return !others.isEmpty
    }

    /// Whether text has the form of the name of a code page: 1 to 32 ASCII letters, digits, `-` and `_`.
    package static func isCodePage(_ name: String) -> Bool {
        (1...32).contains(name.utf8.count) && ASCII.isWord(name, marks: "-_")
    }

    /// Returns these settings, replaced by every value of `newer` that is not nil. A flag that becomes false and a name
    /// that becomes empty become nil.
    package func merged(with newer: EndpointSettings) -> EndpointSettings {
        // Most endpoints have no settings.
        guard !newer.isEmpty else { return self }
        var merged = self
        merged.scheme = newer.scheme ?? scheme
        merged.probe = newer.probe ?? probe
        for (_, text) in Self.texts { merged[keyPath: text] = newer[keyPath: text] ?? self[keyPath: text] }
        for name in [\EndpointSettings.codePage, \.defaultLogin] where merged[keyPath: name] == "" {
            merged[keyPath: name] = nil
        }
        for (_, flag) in Self.flags {
            merged[keyPath: flag] = (newer[keyPath: flag] ?? self[keyPath: flag]) == true ? true : nil
        }
        return merged
    }

    /// The texts, with their names in `endpoints.json`.
    static let texts: [(name: String, value: any WritableKeyPath<EndpointSettings, String?> & Sendable)] = [
        ("path", \.path), ("dataService", \.dataService), ("loginService", \.loginService),
        ("loginDomain", \.loginDomain), ("loginSchema", \.loginSchema), ("codePage", \.codePage),
        ("defaultLogin", \.defaultLogin),
    ]

    /// The flags, with their names in `endpoints.json`.
    static let flags: [(name: String, value: any WritableKeyPath<EndpointSettings, Bool?> & Sendable)] = [
        ("hidden", \.isHidden), ("readOnly", \.isReadOnly), ("grantsOnly", \.isForGrantsOnly),
        ("confirm", \.isConfirmed), ("acceptUnknownOwner", \.acceptsUnknownOwner),
    ]

    var constraints: AccessConstraints {
        var constraints = AccessConstraints()
        constraints.isReadOnly = isReadOnly ?? false
        constraints.isForGrantsOnly = isForGrantsOnly ?? false
        constraints.isConfirmed = isConfirmed ?? false
        constraints.acceptsUnknownOwner = acceptsUnknownOwner ?? false
        return constraints
    }

    func applied(to url: ServerURL) -> ServerURL {
        ServerURL(scheme: scheme ?? url.scheme, host: url.host, port: url.port, path: path ?? url.path)
    }

    var services: ServiceNames {
        ServiceNames(
            data: dataService ?? ServiceNames.relativity.data,
            login: loginService ?? ServiceNames.relativity.login
        )
    }
}

/// A server that the user added by hand or from a file, or that the administrator configured.
package struct ManualEntry: Sendable, Hashable {
    /// The name in the list.
    package var name: String
    /// The URL of the server's dispatcher.
    package var url: ServerURL
    /// The origin; never `discovered`.
    package var origin: Origin
    /// The usual settings for this server. The user's own settings override them.
    package var usual: EndpointSettings

    /// An entry with these values.
    package init(
        name: String,
        url: ServerURL,
        origin: Origin = .manual,
        usual: EndpointSettings = EndpointSettings()
    ) {
        self.name = name
        self.url = url
        self.origin = origin
        self.usual = usual
    }

    /// Whether the administrator configured the server. Then the user's list does not contain it, and the user cannot
    /// remove it.
    package var isConfigured: Bool { origin == .configured }

    /// The host name or address, and the port. A sighting there is of this server. Nil for a host name of one label,
    /// which is not a full name and can be another host on another network.
    var place: HostAndPort? {
        switch url.host {
        case .address(let address, _): HostAndPort(locator: .address(address.bytes), port: url.port)
        case .name(let name): name.contains(".") ? HostAndPort(locator: .host(HostName(name)), port: url.port) : nil
        }
    }
}
