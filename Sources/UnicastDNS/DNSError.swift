// SPDX-License-Identifier: Apache-2.0

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
