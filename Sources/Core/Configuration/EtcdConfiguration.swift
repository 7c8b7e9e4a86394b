// SPDX-License-Identifier: Apache-2.0

import Discovery
import Endpoints

/// Reads a table `[[etcd]]`.
extension EtcdList: ConfigurationTable {
    static var unique: Unique { [("name", { $0.name == $1.name })] }

    private static let expectedName = "1 to 63 letters, digits, '.', '_' and '-'"
    private static let expectedServers = "URLs such as \"https://10.0.0.5:2379\""
    private static let expectedPrefix = "a key such as \"/relativity/servers\", without a slash at its end"

    init(_ table: TableReader) throws(ConfigurationError) {
        var table = table
        let name = try table.text("name", expected: Self.expectedName, Self.name)
        let servers = try table.texts("servers", 1...8, expected: Self.expectedServers, Self.server)
        let prefix = try table.text("prefix", expected: Self.expectedPrefix, Self.prefix)
        self.init(
            name: try table.required(name, "name", expected: Self.expectedName),
            servers: try table.required(servers, "servers", expected: "1 to 8 \(Self.expectedServers)"),
            prefix: try table.required(prefix, "prefix", expected: Self.expectedPrefix)
        )
        let user = try table.text("user", expected: "1 to 255 bytes") { (1...255).contains($0.utf8.count) ? $0 : nil }
        let secret = "an absolute path, or the name of a systemd credential"
        let passwordFile = try table.text("password_file", expected: secret, Self.secret)
        tls.authorities = try table.absolutePath("ca_file")
        tls.certificate = try table.absolutePath("certificate_file")
        tls.key = try table.absolutePath("key_file")
        policy = try table.networks().map { NetworkPolicy($0) } ?? policy
        try table.finish()
        self.user = user.flatMap { name in passwordFile.map { EtcdUser(name: name, passwordFile: $0) } }
        guard (user == nil) == (passwordFile == nil) else {
            throw table.fault("password_file", expected: "set if and only if user is set")
        }
        guard (tls.certificate == nil) == (tls.key == nil) else {
            throw table.fault("key_file", expected: "set if and only if certificate_file is set")
        }
        guard user == nil || self.servers.allSatisfy({ $0.scheme == .https || $0.host.isLoopback }) else {
            throw table.fault("servers", expected: "https if user is set, because a password is sent")
        }
    }

    private static func name(_ text: String) -> String? {
        ASCII.isWord(text, marks: "-_.") && (1...63).contains(text.utf8.count) ? text : nil
    }

    private static func server(_ text: String) -> ServerURL? {
        let text = text.hasSuffix("/") ? String(text.dropLast()) : text
        // The URL must have a scheme and a port, and nothing else but the host.
        guard let authority = text.split(separator: "://", maxSplits: 1).last, text.contains("://"),
            !authority.contains("/"), authority.contains(/:[0-9]+$/)
        else { return nil }
        return try? ServerURL(completing: text)
    }

    private static func prefix(_ text: String) -> String? {
        let isKey = text.hasPrefix("/") && text.utf8.count > 1 && !text.hasSuffix("/")
        return isKey && text.utf8.count <= 255 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? text : nil
    }

    private static func secret(_ text: String) -> String? {
        text.hasPrefix("/") || name(text) != nil ? text : nil
    }
}

extension ServerHost {
    fileprivate var isLoopback: Bool {
        if case .address(let address, _) = self { address.isLoopback } else { self == .name("localhost") }
    }
}
