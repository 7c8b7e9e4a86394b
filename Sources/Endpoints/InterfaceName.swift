// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The names of this machine's network interfaces.
package enum InterfaceName {
    /// - Returns: nil if no interface currently has this index.
    package static func of(_ number: UInt32) -> String? {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard number > 0, if_indextoname(number, &name) != nil else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
