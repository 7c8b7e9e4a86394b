// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI

extension RegistryAPI.Identity {
    static func fetch(
        _ endpoint: String,
        by trust: ServerTrust? = nil,
        _ client: DaemonClient
    ) throws -> RegistryAPI.Identity {
        let call = RegistryAPI.GetIdentityCall(endpoint: endpoint, trust: trust.map { $0 == .authority ? .ca : .key })
        return try client.call(call, within: DaemonClient.slow).identity
    }

    var isPlain: Bool { !PinStrength(strength).isEncrypted }

    /// By what the server is known, as a login to it says.
    var trust: CredentialsAPI.Trust { authority == nil ? .key : .ca }

    /// The pin, in words.
    var summary: String {
        let place = "\(ShownAddress(address).text) port \(port)"
        return switch strength {
        case .tlsKey: "a TLS key, shown by \(place)"
        case .authority:
            "a certificate for \(authority ?? "-"), shown by \(place) and vouched for by a trusted authority"
        case .address: "plain HTTP at \(place): unencrypted, and no proof of who answers there"
        case .loopback: "plain HTTP on this machine, \(place)"
        }
    }
}
