// SPDX-License-Identifier: Apache-2.0

import Configuration
import Endpoints
import NIOCore
import UnicastDNS

/// The sources of sightings that the configuration names, beside Avahi.
struct ConfiguredSources: Sendable {
    let all: [any SightingSource]
    private let domains: [DomainBrowser]

    init(_ configuration: DaemonConfiguration, loop: any EventLoop) {
        domains = configuration.dnsDomains.compactMap { domain in
            DomainName(domain.name).map { name in
                DomainBrowser(
                    domain: name,
                    types: configuration.serviceTypes,
                    servers: domain.servers.isEmpty ? .file(path: "/etc/resolv.conf") : .fixed(domain.servers),
                    policy: NetworkPolicy(domain.addresses),
                    loop: loop
                )
            }
        }
        all = domains
    }

    /// What of their lists is not taken, for `status`.
    var notes: [String] { domains.flatMap(\.notes) }
}
