// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI

extension CredentialsAPI.Pin {
    /// - Returns: nil if the endpoint is not pinned.
    static func fetch(_ endpoint: String, _ client: DaemonClient) throws -> CredentialsAPI.Pin? {
        try client.call(CredentialsAPI.ListPinsCall()).pins.first { $0.endpoint == endpoint }
    }

    func show(as verb: String, _ output: OutputOptions) {
        output.tell(json, else: Columns([verb, endpoint, fingerprint] + logins).text)
    }
}

extension RegistryAPI.Endpoint {
    static func fetch(_ endpoint: String, _ client: DaemonClient) throws -> RegistryAPI.Endpoint {
        try client.call(RegistryAPI.GetCall(endpoint: endpoint)).endpoint
    }
}
