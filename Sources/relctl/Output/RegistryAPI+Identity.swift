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

    var isPlain: Bool { tier != 3 }

    /// By what the server is known, as a login to it says.
    var trust: CredentialsAPI.Trust { authority == nil ? .key : .ca }

    /// What the tier means, in words.
    var summary: String {
        let address = ShownAddress(address).text
        if let authority {
            return
                "a certificate for \(authority), shown by \(address) port \(port) and vouched for by a trusted authority"
        }
        return switch tier {
        case 3: "a TLS key, shown by \(address) port \(port)"
        case 0: "plain HTTP on this machine, \(address) port \(port)"
        default: "plain HTTP at \(address) port \(port): unencrypted, and no proof of who answers there"
        }
    }
}
