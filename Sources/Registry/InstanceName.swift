// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// What makes announcements of several types and interfaces one server: instance name and domain, compared as DNS
/// compares names (RFC 6762, section 16: bytes, but ASCII letters without case).
struct InstanceName: Hashable {
    let name: [UInt8]
    let domain: [UInt8]

    init(_ instance: ServiceInstance) {
        name = Self.lowercasedASCII(instance.nameBytes)
        domain = Self.lowercasedASCII(instance.domain.utf8)
    }

    /// A host name as it is compared: lower case, without a trailing dot.
    static func normalisedHost(_ host: String) -> String {
        String(decoding: lowercasedASCII((host.hasSuffix(".") ? String(host.dropLast()) : host).utf8), as: UTF8.self)
    }

    private static func lowercasedASCII(_ text: some Sequence<UInt8>) -> [UInt8] {
        text.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 0x20 : $0 }
    }
}
