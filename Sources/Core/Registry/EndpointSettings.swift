// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// What the user set for one endpoint where it differs from Relativity's ways; nil keeps the usual.
package struct EndpointSettings: Sendable, Hashable {
    package var scheme: ServerURL.Scheme?
    /// A path that `ServerURL.checkedPath` accepted.
    package var path: String?
    /// A name that `ServiceNames.isValid` accepted.
    package var dataService: String?
    /// A name that `ServiceNames.isValid` accepted.
    package var loginService: String?
    package var probe: ProbeMode?
    /// The domain that a login to it is usually for.
    package var loginDomain: String?
    /// The schema that a login to it is usually for.
    package var loginSchema: String?
    /// It is left out of lists for people.
    package var isHidden: Bool?
    package var isReadOnly: Bool?
    package var isForGrantsOnly: Bool?
    package var allowsSessionExport: Bool?
    package var isConfirmed: Bool?
    package var acceptsUnknownOwner: Bool?

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
        allowsSessionExport: Bool? = nil,
        isConfirmed: Bool? = nil,
        acceptsUnknownOwner: Bool? = nil
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
        self.allowsSessionExport = allowsSessionExport
        self.isConfirmed = isConfirmed
        self.acceptsUnknownOwner = acceptsUnknownOwner
    }

    package var isEmpty: Bool { self == EndpointSettings() }

    /// Something is set that says more than how the list is to be shown.
    var isAboutServer: Bool {
        var others = self
        others.isHidden = nil
        return !others.isEmpty
    }

    /// These settings with every value of `newer` that is not nil put in its place.
    package func merged(with newer: EndpointSettings) -> EndpointSettings {
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
            allowsSessionExport: (newer.allowsSessionExport ?? allowsSessionExport) == true ? true : nil,
            isConfirmed: (newer.isConfirmed ?? isConfirmed) == true ? true : nil,
            acceptsUnknownOwner: (newer.acceptsUnknownOwner ?? acceptsUnknownOwner) == true ? true : nil
        )
    }

    var constraints: AccessConstraints {
        AccessConstraints(
            isReadOnly: isReadOnly ?? false,
            isForGrantsOnly: isForGrantsOnly ?? false,
            allowsSessionExport: allowsSessionExport ?? false,
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

/// A server that a person added: the user by hand or from a file, or the administrator.
package struct ManualEntry: Sendable, Hashable {
    package var name: String
    package var url: ServerURL
    /// Anything but `discovered`.
    package var origin: Origin
    /// What is usual for this server; the user's own settings go before it.
    package var usual: EndpointSettings

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

    /// The administrator laid it down: it is not ours to save or to remove.
    package var isConfigured: Bool { origin == .configured }

    /// A sighting at this place is of the very server that this entry names. nil for a single label, which is no full
    /// host name and means another host elsewhere.
    var place: HostAndPort? {
        switch url.host {
        case .address(let address, _): HostAndPort(locator: .address(address.bytes), port: url.port)
        case .name(let name): name.contains(".") ? HostAndPort(locator: .host(HostName(name)), port: url.port) : nil
        }
    }
}
