// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc

/// An address as people write it: a link-local one with the name of its interface rather than its number.
struct ShownAddress {
    let text: String

    /// - Parameter text: as the daemon tells it.
    init(_ text: String) {
        guard let address = IPAddress(text), address.scope > 0,
            let plain = IPAddress(bytes: address.bytes), let name = Self.name(of: address.scope)
        else {
            self.text = text
            return
        }
        self.text = "\(plain)%\(name)"
    }

    private static func name(of interface: UInt32) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(interface, &buffer) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
