// SPDX-License-Identifier: Apache-2.0

extension ServerHost {
    /// The host of a sighting: its announced name if that is valid, otherwise the address that it resolved to.
    ///
    /// Any host on the link can choose the name. A name such as `127.0.0.1`, `0x7f.1` or one with a line break would
    /// be shown, sent as `Host` and typed by users as if it were another host's address.
    package init(announced name: String, at address: IPAddress, interface: String) {
        if case .name(let name)? = try? ServerHost(parsing: name) {
            self = .name(name)
        } else {
            self = .address(address, zone: address.isLinkLocalIPv6 ? interface : nil)
        }
    }
}
