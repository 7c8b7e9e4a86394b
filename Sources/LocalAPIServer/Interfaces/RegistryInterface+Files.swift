// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI
import Registry
import RelativityClient
import VarlinkService

/// The vendor's `.relativityClient` files.
extension RegistryInterface {
    func `import`(_ call: TypedCall<RegistryAPI.ImportCall>) async throws {
        let file: RelativityClientFile
        do {
            file = try RelativityClientFile(parsing: Array(call.parameters.content.utf8), isUTF8: true)
        } catch {
            throw RegistryAPI.InvalidEndpointError(message: "the .relativityClient file cannot be read: \(error)")
        }
        let url = try await address(in: file)
        let name = call.parameters.name ?? file.serverName ?? url.host.text
        let settings = EndpointSettings(loginDomain: file.domain, loginSchema: file.schema)
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

    /// The URI, as the vendor's tools have it; else where the server of that name is now.
    private func address(in file: RelativityClientFile) async throws -> ServerURL {
        if let text = file.serverURI { return try ServerURL(completing: text) }
        guard let name = file.serverName else {
            throw RegistryAPI.InvalidEndpointError(
                message: "the file names no server: it has neither Server/ServerUri nor Server/Name"
            )
        }
        let announced = await registry.snapshot.endpoints.filter { endpoint in
            endpoint.instance?.nameBytes == Array(name.utf8) && !endpoint.addresses.isEmpty
        }
        guard let endpoint = announced.first, let address = endpoint.addresses.first else {
            throw RegistryAPI.EndpointNotFoundError(
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
