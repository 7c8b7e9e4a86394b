// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import Glibc

/// A message of rtnetlink(7) that an interface went down or lost an address.
struct NetworkDisturbance: Hashable {
    /// The interface index, as from `if_nametoindex`.
    var interface: Int32
    /// The address family; nil for both.
    var family: AddressFamily?
}

extension NetworkDisturbance {
    private static let linkAdded = 16
    private static let linkRemoved = 17
    private static let addressRemoved = 21
    private static let headerSize = 16

    /// Reads a datagram of netlink messages: headers of 16 bytes, each followed by `ifinfomsg` or `ifaddrmsg`.
    /// Incomplete messages and other kinds are skipped.
    static func all(in datagram: UnsafeRawBufferPointer) -> [NetworkDisturbance] {
        var found: [NetworkDisturbance] = []
        var rest = datagram[...]
        while rest.count >= headerSize {
            let message = UnsafeRawBufferPointer(rebasing: rest)
            let length = Int(message.loadUnaligned(as: UInt32.self))
            guard length >= headerSize, length <= message.count else { break }
            let kind = Int(message.loadUnaligned(fromByteOffset: 4, as: UInt16.self))
            if let disturbance = NetworkDisturbance(
                kind,
                UnsafeRawBufferPointer(rebasing: message[headerSize..<length])
            ) {
                found.append(disturbance)
            }
            rest = rest.dropFirst((length + 3) & ~3)
        }
        return found
    }

    private init?(_ kind: Int, _ body: UnsafeRawBufferPointer) {
        switch kind {
        case Self.linkAdded where body.count >= 16:
            let wanted = UInt32(IFF_UP | IFF_RUNNING)
            guard body.loadUnaligned(fromByteOffset: 8, as: UInt32.self) & wanted != wanted else { return nil }
            interface = body.loadUnaligned(fromByteOffset: 4, as: Int32.self)
        case Self.linkRemoved where body.count >= 16:
            interface = body.loadUnaligned(fromByteOffset: 4, as: Int32.self)
        case Self.addressRemoved where body.count >= 8:
            switch Int32(body[0]) {
            case AF_INET: family = .inet
            case AF_INET6: family = .inet6
            default: return nil
            }
            interface = body.loadUnaligned(fromByteOffset: 4, as: Int32.self)
        default:
            return nil
        }
    }
}
