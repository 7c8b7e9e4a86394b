// SPDX-License-Identifier: Apache-2.0

/// A deceptive spelling of an address, and the permitted result of parsing it.
package struct AddressForm: Sendable, CustomStringConvertible {
    package enum Typed: Sendable, Equatable {
        /// Refused even if the user types it.
        case refused
        /// Accepted if the user types it, and means exactly this address, in this spelling.
        case address(String)
        /// Looked up like any host name.
        case name
    }

    package let text: String
    package let typed: Typed

    package init(text: String, typed: Typed) {
        self.text = text
        self.typed = typed
    }

    package var description: String { text }

    private static func refused(_ texts: String...) -> [AddressForm] {
        texts.map { AddressForm(text: $0, typed: .refused) }
    }

    private static func meant(_ texts: String...) -> [AddressForm] {
        texts.map { AddressForm(text: $0, typed: .address($0)) }
    }

    /// Every form once.
    package static let all: [AddressForm] =
        // Loopback as C libraries parse it: fewer parts, other bases, one number, leading zeros.
        refused(
            "127.1",
            "127.0.1",
            "0x7f.1",
            "0x7f.0.0.1",
            "0177.0.0.1",
            "0177.1",
            "2130706433",
            "0x7f000001",
            "0X7F000001",
            "017700000001",
            "127.0.0.01",
            "127.000.000.001",
            "127.0.0.1.",
            "127.0.0.0x1",
            "00000177.0.0.1",
            "0x00000000000000007f.1",
            "127.0.0.1%lo",
            "127.0.0.1.5",
            "１２７.0.0.1",
            "127。0。0。1",
            "①②⑦.0.0.1"
        )
        + meant("127.0.0.1", "127.255.255.254", "127.0.0.2", "::1", "::ffff:127.0.0.1", "::127.0.0.1")
        + [
            AddressForm(text: "::FFFF:7F00:1", typed: .address("::ffff:127.0.0.1")),
            AddressForm(text: "0:0:0:0:0:0:0:1", typed: .address("::1")),
        ]
        + refused("::1%lo", "[::1", "::1]", "0::0::1", "::ffff:127.1", "::ffff:0x7f000001")
        + ["localhost", "localhost.", "LOCALHOST", "LocalHost.localdomain"].map { AddressForm(text: $0, typed: .name) }
        + [
            AddressForm(text: "64:ff9b::127.0.0.1", typed: .address("64:ff9b::7f00:1")),
            AddressForm(text: "2002:7f00:1::", typed: .address("2002:7f00:1::")),
        ]
        // A cloud's metadata service.
        + refused(
            "169.254.169.254",
            "0xa9fea9fe",
            "2852039166",
            "0251.0376.0251.0376",
            "0xa9.0xfe.0xa9.0xfe",
            "169.254.43518",
            "169.16689662",
            "::ffff:169.254.169.254",
            "::FFFF:A9FE:A9FE",
            "::169.254.169.254",
            "64:ff9b::169.254.169.254",
            "64:ff9b::a9fe:a9fe",
            "2002:a9fe:a9fe::1",
            "::ffff:0:169.254.169.254",
            "169.254.169.254.",
            "fd00:ec2::254",
            "FD00:0EC2:0:0:0:0:0:254",
            "fd20:ce::254"
        )
        // Broadcast, multicast and unassigned addresses.
        + refused(
            "0.0.0.0",
            "0",
            "0.0",
            "0x0",
            "::",
            "::ffff:0.0.0.0",
            "0.1.2.3",
            "255.255.255.255",
            "4294967295",
            "0xffffffff",
            "::ffff:255.255.255.255",
            "::255.255.255.255",
            "64:ff9b::255.255.255.255",
            "2002:ffff:ffff::1",
            "224.0.0.251",
            "239.255.255.250",
            "240.0.0.1",
            "::ffff:224.0.0.251",
            "ff02::1",
            "FF02::FB",
            "ff02::1%eth0",
            "ff05::1:3",
            "ff0e::1",
            "64:ff9b::224.0.0.1"
        )
        // Link-local addresses without a link, or with an invalid name of one.
        + refused("fe80::1", "fe80::1%", "fe80::1%25eth0/", "fe80::1%a b", "fe80::1%\n", "fe80::1%sixteen-letters-x")
}
