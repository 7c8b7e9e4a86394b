// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Platform
import RelativityClient

/// A server that a file of the administrator describes.
package struct AdministratorsServer: Sendable, Hashable {
    /// The path of the file.
    package let path: String
    /// The name of the server in the list.
    package let name: String
    /// The URL of the server.
    package let url: ServerURL
    /// The pinned identity of the server, 32 bytes in the form of `--pin`: the SHA-256 of its TLS key; the digest for
    /// its host, if it is verified by a certificate authority; or the digest for its address and port, if plain HTTP
    /// is permitted. If nil, the user must verify the server.
    package let fingerprint: [UInt8]?
    /// Whether passwords may be sent unencrypted to this address.
    package let allowsPlaintext: Bool
    /// The name of the data service; nil for the usual one.
    package let dataService: String?
    /// The name of the login service; nil for the usual one.
    package let loginService: String?
    /// The default domain of new logins.
    package let domain: String?
    /// The default schema of new logins.
    package let schema: String?
}

extension AdministratorsServer {
    /// Parses a TOML file.
    ///
    /// - Parameter stem: the name of the server if the file has none.
    package init(toml text: String, path: String, stem: String) throws {
        var table = try TableReader(parsing: text, maximumBytes: AdministratorsServers.maximumBytes)
        self.path = path
        name = try Self.checked(name: try table.text("name", expected: "a text") { $0 } ?? stem)
        let address: String? = try table.text("url", expected: "a text") { $0 }
        guard let address else { throw AdministratorsServerFault("there is no 'url'") }
        url = try ServerURL(completing: address)
        let pin = try table.text(
            "pin",
            expected: "64 hexadecimal digits, or ca",
            WrittenPin.init
        )
        allowsPlaintext = try table.flag("allow_plaintext") ?? false
        let service = "letters, digits, _ and ."
        dataService = try table.text("data_service", expected: service) { ServiceNames.isValid($0) ? $0 : nil }
        loginService = try table.text("login_service", expected: service) { ServiceNames.isValid($0) ? $0 : nil }
        domain = try table.text("domain", expected: "1 to 255 bytes of text", Self.field)
        schema = try table.text("schema", expected: "1 to 255 bytes of text", Self.field)
        try table.finish()
        fingerprint = try Self.fingerprint(pin, of: url, allowsPlaintext: allowsPlaintext)
    }

    /// Parses a file of the vendor. It cannot contain a pin.
    init(relativityClient bytes: [UInt8], path: String, stem: String) throws {
        let file = try RelativityClientFile(parsing: bytes)
        guard let address = file.serverURI else {
            throw AdministratorsServerFault("there is no Server/ServerUri: a name alone leads to whoever announces it")
        }
        self.path = path
        name = try Self.checked(name: file.serverName ?? stem)
        url = try ServerURL(completing: address)
        domain = file.domain
        schema = file.schema
        fingerprint = nil
        allowsPlaintext = false
        dataService = nil
        loginService = nil
    }

    private static func checked(name: String) throws -> String {
        guard EndpointName.isValid(name) else {
            throw AdministratorsServerFault("the name is not 1 to 63 bytes of printable text")
        }
        return name
    }

    private static func field(_ text: String) -> String? {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? text : nil
    }

    /// Returns the pinned identity. For plain HTTP it follows from the address, so a pin is optional and only
    /// compared with it.
    private static func fingerprint(
        _ pin: WrittenPin?,
        of url: ServerURL,
        allowsPlaintext: Bool
    ) throws -> [UInt8]? {
        let given: [UInt8]?
        switch pin {
        case nil: given = nil
        case .fingerprint(let bytes)?: given = bytes
        case .authority?:
            guard url.scheme == .https, let authority = Pin.authority(of: url.host) else {
                throw AdministratorsServerFault("'pin' can be \"ca\" for https to a host name or address only")
            }
            given = try SHA256.digest(of: authority.canonicalRecord)
        }
        guard url.scheme == .http else {
            guard !allowsPlaintext else { throw AdministratorsServerFault("'allow_plaintext' is for plain HTTP only") }
            return given
        }
        guard given != nil || allowsPlaintext else { return nil }
        guard case .address(let address, _) = url.host else {
            throw AdministratorsServerFault("plain HTTP can only be trusted at an address, not at a name")
        }
        let derived = try SHA256.digest(of: Pin.plain(address, port: url.port).canonicalRecord)
        guard given == nil || given == derived else {
            throw AdministratorsServerFault("'pin' is not the fingerprint of plain HTTP at \(address) port \(url.port)")
        }
        return derived
    }
}

/// A pin as written in a file.
private enum WrittenPin {
    case fingerprint([UInt8])
    case authority

    init?(_ text: String) {
        if text == ServerTrust.authority.rawValue {
            self = .authority
        } else if let bytes = HexText.decodeDigest(text) {
            self = .fingerprint(bytes)
        } else {
            return nil
        }
    }
}

/// A semantic error in a file of the administrator.
struct AdministratorsServerFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
