// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// One of the two things by which a server is recognised: its host name or an address, without its scope.
enum HostOrAddress: Hashable, Sendable {
    case host(HostName)
    case address([UInt8])

    /// Bytes in one piece: the hashing of arrays would take them one by one.
    func hash(into hasher: inout Hasher) {
        switch self {
        case .host(let host): hasher.combine(host)
        case .address(let bytes): bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}

/// Where a server listens, in one of the two ways to say so.
struct HostAndPort: Hashable, Sendable {
    var locator: HostOrAddress
    var port: UInt16
}
