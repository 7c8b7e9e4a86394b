// SPDX-License-Identifier: Apache-2.0

/// A question for DNS servers: the records of one type at one name, in the class of the internet.
struct DNSQuestion: Sendable, Hashable {
    /// The record type, with its number in RFC 1035, 2782 or 3596.
    enum Kind: UInt16, Sendable, Hashable {
        case address = 1
        case pointer = 12
        case text = 16
        case address6 = 28
        case service = 33
    }

    var name: DomainName
    var kind: Kind

    static let internet: UInt16 = 1

    /// The complete query message: recursion desired, no extensions. Without EDNS a long reply is sent over TCP, and
    /// never in fragments, which others could forge.
    func message(id: UInt16) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: UInt16) { bytes += [UInt8(number >> 8), UInt8(number & 0xFF)] }
        append(id)
        append(0x0100)
        for count: UInt16 in [1, 0, 0, 0] { append(count) }
        for label in name.labels { bytes += [UInt8(label.count)] + label }
        bytes.append(0)
        append(kind.rawValue)
        append(Self.internet)
        return bytes
    }
}
