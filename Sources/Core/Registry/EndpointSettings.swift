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

    /// Settings with these values.
    package init(
        scheme: ServerURL.Scheme? = nil,
        path: String? = nil,
        dataService: String? = nil,
        loginService: String? = nil,
        probe: ProbeMode? = nil,
        loginDomain: String? = nil,
        loginSchema: String? = nil,
        isHidden: Bool? = nil,
        isReadOnly: Bool? = nil,
        isForGrantsOnly: Bool? = nil,
        isConfirmed: Bool? = nil,
        acceptsUnknownOwner: Bool? = nil,
        codePage: String? = nil,
        defaultLogin: String? = nil
    ) {
        self.scheme = scheme
        self.path = path
        self.dataService = dataService
        self.loginService = loginService
        self.probe = probe
        self.loginDomain = loginDomain
        self.loginSchema = loginSchema
        self.isHidden = isHidden
        self.isReadOnly = isReadOnly
        self.isForGrantsOnly = isForGrantsOnly
        self.isConfirmed = isConfirmed
        self.acceptsUnknownOwner = acceptsUnknownOwner
        self.codePage = codePage
        self.defaultLogin = defaultLogin
    }

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
        let codePage = newer.codePage ?? codePage
        let defaultLogin = newer.defaultLogin ?? defaultLogin
        let isHidden = newer.isHidden ?? isHidden
        return EndpointSettings(
            scheme: newer.scheme ?? scheme,
            path: newer.path ?? path,
            dataService: newer.dataService ?? dataService,
            loginService: newer.loginService ?? loginService,
            probe: newer.probe ?? probe,
            loginDomain: newer.loginDomain ?? loginDomain,
            loginSchema: newer.loginSchema ?? loginSchema,
            isHidden: isHidden == true ? true : nil,
            isReadOnly: (newer.isReadOnly ?? isReadOnly) == true ? true : nil,
            isForGrantsOnly: (newer.isForGrantsOnly ?? isForGrantsOnly) == true ? true : nil,
            isConfirmed: (newer.isConfirmed ?? isConfirmed) == true ? true : nil,
            acceptsUnknownOwner: (newer.acceptsUnknownOwner ?? acceptsUnknownOwner) == true ? true : nil,
            codePage: codePage == "" ? nil : codePage,
            defaultLogin: defaultLogin == "" ? nil : defaultLogin
        )
    }

    var constraints: AccessConstraints {
        AccessConstraints(
            isReadOnly: isReadOnly ?? false,
            isForGrantsOnly: isForGrantsOnly ?? false,
            isConfirmed: isConfirmed ?? false,
            acceptsUnknownOwner: acceptsUnknownOwner ?? false
        )
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
