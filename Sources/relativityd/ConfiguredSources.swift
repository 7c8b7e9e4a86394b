// SPDX-License-Identifier: Apache-2.0

import Configuration
import Endpoints
import Etcd
import NIOCore
import NIOPosix
import Platform
import UnicastDNS

/// The sources of sightings that the configuration names, beside Avahi.
struct ConfiguredSources: Sendable {
    private let policies: [SourceName: NetworkPolicy]
    private let domains: [DomainBrowser]
    private let lists: [EtcdSource]

    init(_ configuration: DaemonConfiguration, environment: Environment, loop: any EventLoop) {
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
        policies = Dictionary(
            configuration.dnsDomains.map { (.dns(domain: $0.name), NetworkPolicy($0.addresses)) }
                + configuration.etcdLists.map { (.etcd($0.name), NetworkPolicy($0.addresses)) }
        ) { first, _ in first }
        // A thread each, apart from people's calls: whoever writes a list may fill it with names that nobody answers for.
        let pool = NIOThreadPool(numberOfThreads: 1)
        let lookUps = NIOThreadPool(numberOfThreads: 1)
        if !configuration.etcdLists.isEmpty {
            pool.start()
            lookUps.start()
        }
        lists = configuration.etcdLists.map { list in
            EtcdSource(EtcdList(list, environment: environment), loop: loop, pool: pool, lookUps: lookUps)
        }
    }

    var all: [any SightingSource] { domains + lists }

    /// Whether a source may lead to an address; one that is not configured any more may lead nowhere.
    func allow(_ address: IPAddress, from source: SourceName) -> Bool {
        policies[source]?.allows(address) ?? false
    }

    /// What of their lists is not taken.
    var omissions: [(source: SourceName, omission: SourceOmission)] {
        domains.flatMap { domain in domain.omissions.map { (domain.name, $0) } }
            + lists.flatMap { list in list.omissions.map { (list.name, $0) } }
    }
}

extension EtcdList {
    init(_ configuration: EtcdConfiguration, environment: Environment) {
        self.init(name: configuration.name, servers: configuration.servers, prefix: configuration.prefix)
        if let name = configuration.user, let file = configuration.passwordFile {
            // A name without a slash is that of a credential; without a directory of them it is not found.
            let directory = environment["CREDENTIALS_DIRECTORY"] ?? "/run/credentials"
            user = EtcdUser(name: name, passwordFile: file.hasPrefix("/") ? file : "\(directory)/\(file)")
        }
        tls.authorities = configuration.authorityFile
        tls.certificate = configuration.certificateFile
        tls.key = configuration.keyFile
        policy = NetworkPolicy(configuration.addresses)
    }
}
