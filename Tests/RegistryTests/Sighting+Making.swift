// SPDX-License-Identifier: Apache-2.0

import Endpoints

extension Sighting {
    /// A sighting of `Office` on eth2, with the given differences.
    static func made(
        _ name: String = "Office",
        source: SourceName = .avahi,
        type: String = "_Relativity_DataService_rosdk._tcp",
        interface: Int32 = 2,
        host: String = "srv.local",
        port: UInt16 = 7099,
        address text: String = "10.0.0.1",
        txt: [String] = []
    ) throws -> Sighting {
        guard let address = IPAddress(text) else { throw ServerURLError.badHost(text) }
        return made(
            name,
            source: source,
            type: type,
            interface: interface,
            host: host,
            port: port,
            at: address,
            txt: txt
        )
    }

    /// Like the function above.
    static func made(
        _ name: String,
        source: SourceName,
        type: String,
        interface: Int32,
        host: String,
        port: UInt16,
        at address: IPAddress,
        txt: [String]
    ) -> Sighting {
        Sighting(
            key: Key(
                source: source,
                instance: ServiceInstance(name: name, type: type, domain: source == .avahi ? "local" : "example.org"),
                interface: interface,
                family: address.family
            ),
            interfaceName: "eth\(interface)",
            host: host,
            port: port,
            address: address,
            txt: txt.map { Array($0.utf8) },
            isLocal: false
        )
    }
}
