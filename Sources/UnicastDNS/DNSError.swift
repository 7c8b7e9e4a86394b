// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// Why a question has no answer.
enum DNSError: Error, Hashable {
    /// resolv.conf names no server, or none by an address.
    case noServer
    /// No server answered in time, or none could be reached.
    case silence
    /// A server answered that it cannot or will not (RFC 1035, section 4.1.1: 1, 2, 4, 5).
    case refused(code: UInt8)
    /// A reply that breaks off or contradicts itself.
    case malformed
}

extension DNSError: CustomStringConvertible {
    var description: String {
        switch self {
        case .noServer: "no DNS server is known"
        case .silence: "no DNS server answers"
        case .refused(2): "the DNS server has a fault (SERVFAIL)"
        case .refused(5): "the DNS server refuses (REFUSED)"
        case .refused(let code): "the DNS server reports code \(code)"
        case .malformed: "the DNS server's reply is malformed"
        }
    }
}
