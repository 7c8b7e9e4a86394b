// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI

extension IdentityRecord {
    static func fetch(_ endpoint: String, _ client: DaemonClient) throws -> IdentityRecord {
        let reply = try client.call(
            "org.relativityd.Registry.GetIdentity",
            ["endpoint": .string(endpoint)],
            within: DaemonClient.slow
        )
        return try IdentityRecord(json: try reply.object("identity"))
    }

    var isPlain: Bool { tier != 3 }

    /// What the tier means, in words.
    var summary: String {
        let address = ShownAddress(address).text
        return switch tier {
        case 3: "a TLS key, shown by \(address) port \(port)"
        case 0: "plain HTTP on this machine, \(address) port \(port)"
        default: "plain HTTP at \(address) port \(port): unencrypted, and no proof of who answers there"
        }
    }
}
