// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

/// A server as a person types it: an id, a name or an address.
struct NamedServer {
    private let text: String
    private let name: String?
    private let output: OutputOptions

    /// - Parameter name: of the server, if it is added.
    init(_ text: String, name: String?, _ output: OutputOptions) {
        (self.text, self.name, self.output) = (text, name, output)
    }

    /// Finds the server in the list, and adds it if the text is an address.
    func found() throws -> RegistryAPI.Endpoint {
        let client = try output.client()
        guard let url = Self.address(text) else { return try RegistryAPI.Endpoint.fetch(text, client) }
        // An address is no beginning of another name.
        if let found = try? RegistryAPI.Endpoint.fetch(text, client), [found.name, found.id].contains(text) {
            return found
        }
        return try Self.known(at: url, client.call(RegistryAPI.ListCall()).endpoints) ?? added(url, client)
    }

    private func added(_ url: ServerURL, _ client: DaemonClient) throws -> RegistryAPI.Endpoint {
        let call = RegistryAPI.AddCall(name: name ?? Self.name(of: url), address: "\(url)")
        let added = try client.call(call, within: .seconds(10)).endpoint
        output.note("relctl: added '\(Printable(added.name))', \(Printable(added.url))\n")
        return added
    }

    /// The server with this URL; one that was added goes before one that is announced.
    static func known(at url: ServerURL, _ endpoints: [RegistryAPI.Endpoint]) -> RegistryAPI.Endpoint? {
        let fitting = endpoints.filter { $0.url == url.description }
        return fitting.first { $0.origin != .discovered } ?? (fitting.count == 1 ? fitting[0] : nil)
    }

    /// The URL that a text means; nil for a single word, which may be a mistyped name.
    static func address(_ text: String) -> ServerURL? {
        guard text.contains(".") || text.contains(":") || text == "localhost" else { return nil }
        return try? ServerURL(completing: text)
    }

    static func name(of url: ServerURL) -> String {
        let host = url.host.urlText
        return url.port == ServerURL.usualPort ? host : "\(host):\(url.port)"
    }
}
