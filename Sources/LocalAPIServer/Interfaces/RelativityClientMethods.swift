// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI
import Registry
import RelativityClient
import VarlinkService

/// The methods of `org.relativityd.Registry` about the vendor's `.relativityClient` files.
struct RelativityClientMethods {
    let registry: EndpointRegistry

    func importFile(_ call: VarlinkCall) async throws {
        let content = try call.parameters.string("content")
        let file: RelativityClientFile
        do {
            file = try RelativityClientFile(parsing: Array(content.utf8), isUTF8: true)
        } catch {
            throw APIError(.invalidEndpoint, "the .relativityClient file cannot be read: \(error)")
        }
        let url = try await address(in: file)
        let name = try call.parameters.optionalString("name") ?? file.serverName ?? url.host.text
        let settings = EndpointSettings(loginDomain: file.domain, loginSchema: file.schema)
        let endpoint = try await registry.add(
            ManualEntry(name: name, url: url, origin: .imported),
            settings: settings
        )
        var reply: JSONObject = ["endpoint": .object(EndpointRecord(endpoint).json)]
        reply["adminUser"] = file.adminUser.map { .string($0) }
        reply["dataUser"] = file.dataUser.map { .string($0) }
        call.reply(reply)
    }

    func exportFile(_ call: VarlinkCall) async throws {
        let endpoint = try await registry.find(try call.parameters.string("endpoint"))
        let file = RelativityClientFile(
            serverName: endpoint.instance?.name,
            serverURI: endpoint.url.description,
            domain: endpoint.loginDomain,
            schema: endpoint.loginSchema
        )
        call.reply(["content": .string(file.xml)])
    }

    /// The URI, as the vendor's tools have it; else where the server of that name is now.
    private func address(in file: RelativityClientFile) async throws -> ServerURL {
        if let text = file.serverURI { return try ServerURL(completing: text) }
        guard let name = file.serverName else {
            throw APIError(
                .invalidEndpoint,
                "the file names no server: it has neither Server/ServerUri nor Server/Name"
            )
        }
        let announced = await registry.snapshot.endpoints.filter { endpoint in
            endpoint.instance?.nameBytes == Array(name.utf8) && !endpoint.addresses.isEmpty
        }
        guard let endpoint = announced.first, let address = endpoint.addresses.first else {
            throw APIError(
                .endpointNotFound,
                "the file has no Server/ServerUri, and nobody announces '\(Printable(name))' now",
                hint: "relctl add NAME ADDRESS"
            )
        }
        guard announced.count == 1 else {
            throw APIError(RegistryError.ambiguous(reference: name, candidates: announced.map(\.id)))
        }
        var url = endpoint.url
        let interface = endpoint.interfaces.count == 1 ? endpoint.interfaces[0] : "\(address.scope)"
        url.host = .address(address, zone: address.isLinkLocalIPv6 ? interface : nil)
        return url
    }
}
