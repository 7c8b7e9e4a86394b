// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// One protocol on one interface. Avahi has a separate cache for each.
struct Link: Hashable {
    let interface: Int32
    let family: AddressFamily

    init(interface: Int32, family: AddressFamily) {
        self.interface = interface
        self.family = family
    }

    init(of key: Sighting.Key) {
        self.init(interface: key.interface, family: key.family)
    }
}
