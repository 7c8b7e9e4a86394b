// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Documents
import Endpoints
import LocalAPI
import Registry
import Services
import Varlink
import VarlinkService

/// The interface `org.relativityd.Registry`.
struct RegistryInterface: RegistryAPIServer {
    let registry: EndpointRegistry
    let broker: ConnectionBroker
    let liveness: LivenessMonitor
    let trust: AdministratorsTrust
    let replies: EndpointReplies

    /// How long a call waits after the start until the sources have settled. Before that the list would be empty for no
    /// visible reason.
    private static let settlingPatience = Duration.milliseconds(1_500)

    func list(_ call: TypedCall<RegistryAPI.ListCall>) async throws {
        await registry.waitUntilSettled(atMost: Self.settlingPatience)
        call.untyped.reply(await replies.list())
    }

    func get(_ call: TypedCall<RegistryAPI.GetCall>) async throws {
        call.reply(.init(endpoint: RegistryAPI.Endpoint(try await registry.find(call.parameters.endpoint))))
    }

    func getIdentity(_ call: TypedCall<RegistryAPI.GetIdentityCall>) async throws {
        var endpoint = try await registry.find(call.parameters.endpoint)
        if let url = call.parameters.alternate { endpoint = endpoint.alternate(at: try ServerURL(completing: url)) }
        let trust = call.parameters.trust
        // The commands that name the endpoint are about its own address.
        let named = call.parameters.alternate == nil ? endpoint.id : nil
        let identity = try await DaemonError.naming(named) { try await broker.identity(of: endpoint, by: trust) }
        call.reply(.init(identity: try RegistryAPI.Identity(identity)))
    }

    func probe(_ call: TypedCall<RegistryAPI.ProbeCall>) async throws {
        let endpoint = try await registry.find(call.parameters.endpoint)
        call.reply(.init(probe: RegistryAPI.Probe(try await liveness.probe(now: endpoint))))
    }

    func watch(_ call: TypedCall<RegistryAPI.WatchCall>) async throws {
        guard call.untyped.wantsMore else { throw VarlinkError.expectedMore }
        let reference = call.parameters.endpoint
        let endpoint = if let reference { try await registry.find(reference).id } else { EndpointID?.none }
        for try await update in try await registry.watch(endpoint, since: try Self.revision(call.parameters.since)) {
            try await call.untyped.reply(continuing: await replies.reply(to: update))
        }
    }

    private static func revision(_ number: Int64?) throws -> UInt64? {
        guard let number else { return nil }
        guard let revision = UInt64(exactly: number) else { throw VarlinkError.invalidParameter("since") }
        return revision
    }

    func add(_ call: TypedCall<RegistryAPI.AddCall>) async throws {
        let url = try ServerURL(completing: call.parameters.address)
        call.reply(.init(endpoint: RegistryAPI.Endpoint(try await registry.add(name: call.parameters.name, url: url))))
    }

    func remove(_ call: TypedCall<RegistryAPI.RemoveCall>) async throws {
        let endpoint = try await registry.find(call.parameters.endpoint)
        if endpoint.origin == .configured, let file = trust[endpoint.id]?.file {
            throw DaemonError.endpointNotManual(
                message: "'\(Printable(endpoint.name))' was configured by the administrator, in \(Printable(file))",
                name: endpoint.name
            )
        }
        try await registry.remove(endpoint.id)
        call.reply(.init())
    }

    func set(_ call: TypedCall<RegistryAPI.SetCall>) async throws {
        if call.parameters.sessionExport == true { throw DaemonError.sessionsStay }
        let endpoint = try await registry.find(call.parameters.endpoint)
        var (settings, name) = (try EndpointSettings(call.parameters), call.parameters.name)
        if let login = call.parameters.defaultLogin {
            settings.defaultLogin = login.isEmpty ? "" : try await broker.login(login, of: endpoint).name
        }
        guard name != nil || !settings.isEmpty else {
            throw DaemonError.invalidEndpoint(message: "there is nothing to set")
        }
        call.reply(.init(endpoint: RegistryAPI.Endpoint(try await registry.set(endpoint.id, settings, name: name))))
    }
}

extension EndpointSettings {
    /// Reads the parameters.
    ///
    /// - Throws: an error that names the first invalid value.
    fileprivate init(_ call: RegistryAPI.SetCall) throws {
        self.init()
        scheme = call.scheme.map { $0 == .https ? .https : .http }
        path = try call.path.map { try ServerURL.checkedPath($0) }
        dataService = try Self.serviceName(call.dataService)
        loginService = try Self.serviceName(call.loginService)
        probe = call.probe.map { $0 == .on ? .on : .off }
        isHidden = call.hidden
        isReadOnly = call.readOnly
        isForGrantsOnly = call.grantsOnly
        isConfirmed = call.confirm
        acceptsUnknownOwner = call.acceptUnknownOwner
        codePage = try Self.codePage(call.codePage)
    }

    private static func codePage(_ name: String?) throws(DaemonError) -> String? {
        guard let name else { return nil }
        guard name.isEmpty || isCodePage(name) && CodePage.named(name) != nil else {
            let numbers = CodePage.known.map { "\($0)" }.joined(separator: ", ")
            throw .invalidEndpoint(
                message: "no code page is called '\(Printable(name))': name it like windows-1252, cp437, iso-8859-15 "
                    + "or utf-8, or by its number, one of \(numbers)"
            )
        }
        return name
    }

    private static func serviceName(_ name: String?) throws(DaemonError) -> String? {
        guard let name else { return nil }
        guard ServiceNames.isValid(name) else {
            throw .invalidEndpoint(
                message: "'\(Printable(name))' is not a valid service name: use letters, digits, _ and ."
            )
        }
        return name
    }
}

/// The vendor's `.relativityClient` files.
extension RegistryInterface {
    func `import`(_ call: TypedCall<RegistryAPI.ImportCall>) async throws {
        let file: RelativityClientFile
        do {
            file = try RelativityClientFile(parsing: Array(call.parameters.content.utf8), isUTF8: true)
        } catch {
            throw DaemonError.invalidEndpoint(message: "the .relativityClient file cannot be read: \(error)")
        }
        let url = try await address(in: file)
        let name = call.parameters.name ?? file.serverName ?? url.host.text
        let settings = EndpointSettings { ($0.loginDomain, $0.loginSchema) = (file.domain, file.schema) }
        let endpoint = try await registry.add(
            ManualEntry(name: name, url: url, origin: .imported),
            settings: settings
        )
        call.reply(
            .init(endpoint: RegistryAPI.Endpoint(endpoint), adminUser: file.adminUser, dataUser: file.dataUser)
        )
    }

    func export(_ call: TypedCall<RegistryAPI.ExportCall>) async throws {
        let endpoint = try await registry.find(call.parameters.endpoint)
        let file = RelativityClientFile(
            serverName: endpoint.instance?.name,
            serverURI: endpoint.url.description,
            domain: endpoint.loginDomain,
            schema: endpoint.loginSchema
        )
        call.reply(.init(content: file.xml))
    }

    /// The URI that the file contains, as in the vendor's tools; otherwise the current URL of the server with the
    /// file's name.
    private func address(in file: RelativityClientFile) async throws -> ServerURL {
        if let text = file.serverURI { return try ServerURL(completing: text) }
        guard let name = file.serverName else {
            throw DaemonError.invalidEndpoint(
                message: "the file names no server: it has neither Server/ServerUri nor Server/Name"
            )
        }
        let announced = await registry.snapshot.endpoints.filter { endpoint in
            endpoint.instance?.nameBytes == Array(name.utf8) && !endpoint.addresses.isEmpty
        }
        guard let endpoint = announced.first, let address = endpoint.addresses.first else {
            throw DaemonError.endpointNotFound(
                message: "the file has no Server/ServerUri, and '\(Printable(name))' is not announced now",
                endpoint: name
            )
        }
        guard announced.count == 1 else {
            throw RegistryError.ambiguous(reference: name, candidates: announced.map(\.id))
        }
        var url = endpoint.url
        let interface = endpoint.interfaces.count == 1 ? endpoint.interfaces[0] : "\(address.scope)"
        url.host = .address(address, zone: address.isLinkLocalIPv6 ? interface : nil)
        return url
    }
}
