// SPDX-License-Identifier: Apache-2.0

extension Pin {
    /// The host that a certificate must be for; nil for every other pin.
    package var authorityHost: String? {
        if case .authority(let host) = self { host } else { nil }
    }

    /// A pin of the server that has a certificate for a host. It is nil for a link-local address, which means another
    /// machine on each link, so that no certificate can be for it.
    package static func authority(of host: ServerHost) -> Pin? {
        if case .address(_, zone: .some) = host { return nil }
        return .authority(host: host.text)
    }

    /// Whether a text can be the host of such a pin: 1 to 253 bytes of lower-case letters, digits, `-`, `_`, `.` and
    /// `:`.
    package static func isAuthorityHost(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x3A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
                default: false
                }
            }
    }
}
