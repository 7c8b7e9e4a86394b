// SPDX-License-Identifier: Apache-2.0

extension ServerHost {
    /// The host of a sighting: its announced name or, where that is none, the address that was found under it.
    ///
    /// A stranger chooses the name. One such as `127.0.0.1`, `0x7f.1` or with a line break in it would be shown, sent as
    /// `Host` and typed by people as if it were the address of somebody else.
    package init(announced name: String, at address: IPAddress, interface: String) {
        if case .name(let name)? = try? ServerHost(parsing: name) {
            self = .name(name)
        } else {
            self = .address(address, zone: address.isLinkLocalIPv6 ? interface : nil)
        }
    }
}
