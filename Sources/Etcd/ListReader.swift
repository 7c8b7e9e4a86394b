// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// Converts the entries of a list to sightings: one of each address family for each entry.
struct ListReader: Sendable {
    let list: EtcdList

    /// The host names that must be looked up.
    func names(in contents: ListContents) -> Set<String> {
        Set(
            contents.entries.values.compactMap { entry in
                if case .name(let name) = entry.url.host { name } else { nil }
            }
        )
    }

    /// - Returns: the sightings, and the number of entries without an allowed address.
    func read(_ contents: ListContents, _ hosts: HostBook) -> (sightings: [Sighting], unplaced: Int) {
        var sightings: [Sighting] = []
        var unplaced = 0
        for (name, entry) in contents.entries {
            let addresses = Self.addresses(of: entry.url.host, hosts).filter { list.policy.allows($0) }
            if addresses.isEmpty { unplaced += 1 }
            for family in [AddressFamily.inet, .inet6] {
                // The smallest address, because resolvers change the order.
                let address = addresses.filter { $0.family == family }
                    .min { $0.bytes.lexicographicallyPrecedes($1.bytes) }
                if let address { sightings.append(sighting(name, entry, address)) }
            }
        }
        return (sightings, unplaced)
    }

    private static func addresses(of host: ServerHost, _ hosts: HostBook) -> [IPAddress] {
        switch host {
        case .address(let address, _): [address]
        case .name(let name): hosts.addresses(of: name)
        }
    }

    private func sighting(_ name: [UInt8], _ entry: ListEntry, _ address: IPAddress) -> Sighting {
        Sighting(
            key: Sighting.Key(
                source: list.source,
                instance: ServiceInstance(nameBytes: name, type: "", domain: list.name),
                interface: 0,
                family: address.family
            ),
            interfaceName: "",
            host: entry.url.host.text,
            port: entry.url.port,
            scheme: entry.url.scheme,
            path: entry.url.path,
            address: address,
            txt: entry.txt,
            isLocal: false
        )
    }
}
