// SPDX-License-Identifier: Apache-2.0

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
