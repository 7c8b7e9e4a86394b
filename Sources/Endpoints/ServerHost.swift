// SPDX-License-Identifier: Apache-2.0

/// The host part of a server's URL.
package enum ServerHost: Sendable, Hashable {
    /// The zone is the name of an interface. It is set for link-local IPv6 only.
    case address(IPAddress, zone: String?)
    /// A host name in lower case, without a trailing dot.
    case name(String)

    /// Reads an address literal or a host name.
    ///
    /// A text whose last label is numeric must be a plain dotted quad, because libraries disagree about spellings
    /// such as `127.1` and `0x7f000001`.
    package init(parsing text: String) throws(ServerURLError) {
        if text.utf8.contains(UInt8(ascii: ":")) {
            self = try Self.ipv6(text)
        } else if let address = IPAddress(text) {
            try Self.check(address, text)
            self = .address(address, zone: nil)
        } else {
            self = .name(try Self.hostName(text))
        }
    }

    /// The form in lists and messages.
    package var text: String {
        switch self {
        case .address(let address, let zone): zone.map { "\(address)%\($0)" } ?? "\(address)"
        case .name(let name): name
        }
    }

    /// The form in a URL: IPv6 in brackets.
    package var urlText: String {
        if case .address(let address, _) = self, address.family == .inet6 { return "[\(text)]" }
        return text
    }

    /// Whether it is a name that is resolved by multicast DNS only (RFC 6762, section 3).
    package var isMulticastName: Bool {
        if case .name(let name) = self { return name.hasSuffix(".local") }
        return false
    }

    private static func check(_ address: IPAddress, _ text: String) throws(ServerURLError) {
        guard !address.namesNoHost else { throw .addressOfNoHost(text) }
        guard !address.isNoServer else { throw .metadataService(text) }
    }

    private static func ipv6(_ text: String) throws(ServerURLError) -> ServerHost {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let address = IPAddress(parts[0]) else { throw .badHost(text) }
        try check(address, text)
        guard parts.count == 2 else {
            guard !address.isLinkLocalIPv6 else { throw .missingZone(text) }
            return .address(address, zone: nil)
        }
        let zone = parts[1]
        guard address.isLinkLocalIPv6, (1...15).contains(zone.utf8.count), zone.utf8.allSatisfy(isNameByte) else {
            throw .badHost(text)
        }
        return .address(address, zone: zone)
    }

    private static func hostName(_ text: String) throws(ServerURLError) -> String {
        // Before lower-casing, which converts some letters to ASCII.
        guard text.utf8.allSatisfy(isNameByte) else { throw .badHost(text) }
        let name = (text.hasSuffix(".") ? String(text.dropLast()) : text).lowercased()
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let hyphen = UInt8(ascii: "-")
        let isWellFormed =
            (1...253).contains(name.utf8.count)
            && labels.allSatisfy { (1...63).contains($0.count) && $0.first != hyphen && $0.last != hyphen }
        guard isWellFormed, let last = labels.last else { throw .badHost(text) }
        let looksNumeric = last.allSatisfy { (0x30...0x39).contains($0) } || last.starts(with: "0x".utf8)
        guard !looksNumeric else { throw .badHost(text) }
        return name
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }
}
