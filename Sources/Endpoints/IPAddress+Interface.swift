// SPDX-License-Identifier: Apache-2.0

import Glibc

extension IPAddress {
    /// The same without its scope, which is a number of this machine's and of this run's.
    package var withoutScope: IPAddress { IPAddress(bytes: bytes) ?? self }

    /// The name of the interface that a link-local address is meant on; nil for every other address, and for an interface
    /// that is not there.
    package var interfaceName: String? {
        guard scope > 0 else { return nil }
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(scope, &name) != nil else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
