// SPDX-License-Identifier: Apache-2.0

/// The URL of a server's dispatcher: `scheme://host:port/path`.
package struct ServerURL: Sendable, Hashable {
    /// The scheme, which decides whether TLS is used.
    package enum Scheme: String, Sendable, Hashable, Codable, CaseIterable {
        case http, https

        /// The port of a full URL that contains none.
        package var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    /// The scheme.
    package var scheme: Scheme
    /// The host.
    package var host: ServerHost
    /// The port.
    package var port: UInt16
    /// The path. It begins with `/` and is printable ASCII without spaces, at most 1,024 bytes.
    package var path: String

    /// A URL of these parts, which are not checked.
    package init(scheme: Scheme, host: ServerHost, port: UInt16, path: String) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
    }
}

extension ServerURL: CustomStringConvertible {
    /// The full URL, always with a port.
    package var description: String { "\(scheme.rawValue)://\(host.urlText):\(port)\(path)" }
}

extension ServerURL {
    /// Relativity's default port, used if the user gives only a host (docs/wire.md, "Finding a server").
    package static let usualPort: UInt16 = 7099
    /// Relativity's default dispatcher path, used if the user gives no path.
    package static let usualPath = "/bin"
    private static let longest = 2_048

    /// Reads the user's input: a full URL, or a host with or without a port, completed like in the vendor's samples.
    ///
    /// `192.168.0.150` becomes `http://192.168.0.150:7099/bin`. A full URL keeps its scheme, port and path; only a
    /// missing path becomes `/bin`.
    package init(completing text: String) throws(ServerURLError) {
        guard text.utf8.count <= Self.longest else { throw .tooLong(limit: Self.longest) }
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .unprintable }
        if let separator = text.firstRange(of: "://") {
            try self.init(scheme: text[..<separator.lowerBound], rest: text[separator.upperBound...])
        } else {
            guard !text.contains("/") else { throw .missingScheme }
            let (host, port) = try Self.hostAndPort(text[...])
            self.init(scheme: .http, host: host, port: port ?? Self.usualPort, path: Self.usualPath)
        }
    }

    /// Checks a path.
    ///
    /// - Returns: the path unchanged, if it is valid in a request line.
    package static func checkedPath(_ path: String) throws(ServerURLError) -> String {
        guard path.hasPrefix("/"), path.utf8.count <= 1_024, path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !path.contains("?"), !path.contains("#")
        else { throw .badPath(path) }
        return path
    }

    private init(scheme name: Substring, rest: Substring) throws(ServerURLError) {
        guard let scheme = Scheme(rawValue: name.lowercased()) else { throw .badScheme(String(name)) }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let path = String(rest[end...])
        let (host, port) = try Self.hostAndPort(rest[..<end])
        self.init(
            scheme: scheme,
            host: host,
            port: port ?? scheme.defaultPort,
            path: path.isEmpty ? Self.usualPath : try Self.checkedPath(path)
        )
    }

    private static func hostAndPort(_ text: Substring) throws(ServerURLError) -> (ServerHost, UInt16?) {
        guard !text.contains("@") else { throw .userInfo }
        if text.hasPrefix("[") {
            guard let close = text.firstIndex(of: "]") else { throw .badHost(String(text)) }
            let literal = String(text[text.index(after: text.startIndex)..<close])
            guard literal.contains(":") else { throw .badHost(String(text)) }
            let rest = text[text.index(after: close)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw .badHost(String(text)) }
            return (try ServerHost(parsing: literal), rest.isEmpty ? nil : try port(rest.dropFirst()))
        }
        let colons = text.count { $0 == ":" }
        if colons == 1, let colon = text.firstIndex(of: ":") {
            return (try ServerHost(parsing: String(text[..<colon])), try port(text[text.index(after: colon)...]))
        }
        return (try ServerHost(parsing: String(text)), nil)
    }

    private static func port(_ text: Substring) throws(ServerURLError) -> UInt16 {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(text), port > 0 else {
            throw .badPort(String(text))
        }
        return port
    }
}

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
        guard address.isLinkLocalIPv6, (1...15).contains(zone.utf8.count), ASCII.isWord(zone, marks: "-_.") else {
            throw .badHost(text)
        }
        return .address(address, zone: zone)
    }

    private static func hostName(_ text: String) throws(ServerURLError) -> String {
        // Before lower-casing, which converts some letters to ASCII.
        guard ASCII.isWord(text, marks: "-_.") else { throw .badHost(text) }
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
}

extension ServerHost {
    /// The host of a sighting: its announced name if that is valid, otherwise the address that it resolved to.
    ///
    /// Any host on the link can choose the name. A name such as `127.0.0.1`, `0x7f.1`, `localhost` or one with a line
    /// break would be shown, sent as `Host` and typed by users as if it were another host's address.
    package init(announced name: String, at address: IPAddress, interface: String) {
        if case .name(let name)? = try? ServerHost(parsing: name), !Self.isThisMachine(name) {
            self = .name(name)
        } else {
            self = .address(address, zone: address.isLinkLocalIPv6 ? interface : nil)
        }
    }

    /// Whether each machine resolves the name to itself (RFC 6761, section 6.3).
    private static func isThisMachine(_ name: String) -> Bool { name == "localhost" || name.hasSuffix(".localhost") }
}

/// The address of a server that the administrator configured, such as a DNS server: a literal address and a port.
package struct AddressAndPort: Sendable, Hashable {
    /// The address; link-local IPv6 has a scope.
    package let address: IPAddress
    /// The port.
    package let port: UInt16

    /// A pair of these values.
    package init(_ address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// Reads `10.0.0.53`, `10.0.0.53:5353`, `fd00::53` or `[fd00::53]:5353`. Link-local IPv6 needs the index of its
    /// interface, as in `fe80::1%2`.
    ///
    /// - Returns: nil for any other text, and for addresses that name no single host.
    package init?(_ text: String, defaultPort: UInt16) {
        var literal = text[...]
        var port = defaultPort
        if let colon = text.lastIndex(of: ":"),
            text.hasPrefix("[") ? text[..<colon].hasSuffix("]") : text.isDottedQuad(upTo: colon)
        {
            let digits = text[text.index(after: colon)...]
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits), number > 0 else {
                return nil
            }
            port = number
            literal = text[..<colon]
        }
        if literal.hasPrefix("[") {
            guard literal.hasSuffix("]"), literal.contains(":") else { return nil }
            literal = literal.dropFirst().dropLast()
        }
        guard let address = IPAddress(String(literal)), !address.namesNoHost,
            !address.isLinkLocalIPv6 || address.scope != 0
        else { return nil }
        self.init(address, port: port)
    }
}

extension AddressAndPort: CustomStringConvertible {
    /// The form that `init(_:defaultPort:)` reads, always with the port.
    package var description: String {
        address.family == .inet6 ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}

extension String {
    fileprivate func isDottedQuad(upTo end: Index) -> Bool { !self[..<end].contains(":") }
}

/// The reason why a text is not a valid server address.
package enum ServerURLError: Error, Hashable {
    case empty
    case tooLong(limit: Int)
    case unprintable
    case missingScheme
    case badScheme(String)
    case userInfo
    case badHost(String)
    case addressOfNoHost(String)
    case metadataService(String)
    case missingZone(String)
    case badPort(String)
    case badPath(String)
}

extension ServerURLError: CustomStringConvertible {
    /// A part of a sentence. Untrusted text in it is escaped.
    package var description: String {
        switch self {
        case .empty: "the address is empty"
        case .tooLong(let limit): "the address is longer than \(limit) bytes"
        case .unprintable: "the address has spaces, control characters or letters outside ASCII"
        case .missingScheme: "a path needs a full URL, for example http://HOST:7099/bin"
        case .badScheme(let scheme): "'\(Printable(scheme))' is not a valid scheme: use http or https"
        case .userInfo: "an address must not contain a user or password"
        case .badHost(let host): "'\(Printable(host))' is neither a host name nor an IP address"
        case .addressOfNoHost(let host): "\(Printable(host)) is not the address of a single host"
        case .metadataService(let host): "\(Printable(host)) is the metadata service of a cloud, not a server"
        case .missingZone(let host):
            "\(Printable(host)) is link-local: add its interface, as in \(Printable(host))%eth0"
        case .badPort(let port): "'\(Printable(port))' is not a valid port: use 1 to 65535"
        case .badPath(let path): "'\(Printable(path))' is not a valid path: it must begin with /, without space, ? or #"
        }
    }
}
