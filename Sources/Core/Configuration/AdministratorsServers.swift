// SPDX-License-Identifier: Apache-2.0

import Documents
package import Endpoints
import Glibc
import Platform

/// The servers that the administrator configured for all users, one in each file of a directory: `*.toml` and the
/// vendor's `*.relativityClient` and `*.remoteRODL`.
package struct AdministratorsServers: Sendable {
    /// The directory that is read by default.
    package static let usualDirectory = "/etc/relativityd/endpoints.d"
    static let maximumFiles = 256
    /// Maximum size of one file.
    static let maximumBytes = 64 << 10

    /// In the order of the file names. If several files have the same URL, only the first is used.
    package private(set) var servers: [AdministratorsServer] = []
    /// Problems with files and directories, for `status` and the log.
    package private(set) var problems: [AdministratorsFileProblem] = []

    /// Reads the files, which are few and small. An invalid file is skipped and does not affect the others. A missing
    /// directory counts as empty.
    ///
    /// - Parameters:
    ///   - last: the result of the previous read. If the system fails to read the directory or a file, the previous
    ///     content stays in effect. This does not apply to invalid content.
    ///   - isNamed: the directory was given explicitly, so that it is an error if it is missing.
    package init(directory path: String, after last: AdministratorsServers? = nil, isNamed: Bool = false) {
        do {
            if let directory = try AdministratorsDirectory(path) {
                read(directory, try directory.names().filter { Kind($0) != nil }, after: last?.servers ?? [])
            } else if isNamed {
                problems.append(.noDirectory(path: path))
            }
        } catch {
            let isOfSystem = error.isOfSystem
            if isOfSystem { servers = last?.servers ?? [] }
            let reason = AdministratorsFileProblem.reason(error)
            problems.append(.directory(path: path, isKept: isOfSystem, reason: reason))
        }
    }

    private mutating func read(
        _ directory: borrowing AdministratorsDirectory,
        _ names: [String],
        after last: [AdministratorsServer]
    ) {
        if names.count > Self.maximumFiles {
            problems.append(.tooManyFiles(path: directory.path, count: names.count, limit: Self.maximumFiles))
        }
        for name in names.prefix(Self.maximumFiles) {
            let path = directory.path + "/" + name
            do {
                try add(Self.server(try directory.read(name, maximumBytes: Self.maximumBytes), name, path))
            } catch {
                let known = (error as? PlatformError)?.isOfSystem == true ? last.first { $0.path == path } : nil
                if let known { try? add(known) }
                let reason = AdministratorsFileProblem.reason(error)
                problems.append(.file(path: path, isKept: known != nil, reason: reason))
            }
        }
    }

    private mutating func add(_ server: AdministratorsServer) throws(AdministratorsServerFault) {
        if let twin = servers.first(where: { $0.url == server.url }) {
            throw AdministratorsServerFault("\(Printable(twin.path)) has the same server")
        }
        servers.append(server)
    }

    private static func server(_ bytes: [UInt8], _ name: String, _ path: String) throws -> AdministratorsServer {
        let kind = Kind(name) ?? .toml
        let stem = String(name.dropLast(kind.rawValue.count))
        switch kind {
        case .toml:
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw AdministratorsServerFault("it is not UTF-8")
            }
            return try AdministratorsServer(toml: text, path: path, stem: stem)
        case .relativityClient, .remoteRODL:
            return try AdministratorsServer(relativityClient: bytes, path: path, stem: stem)
        }
    }

    private enum Kind: String, CaseIterable {
        case toml = ".toml"
        case relativityClient = ".relativityClient"
        case remoteRODL = ".remoteRODL"

        init?(_ name: String) {
            guard let kind = Self.allCases.first(where: { name.hasSuffix($0.rawValue) }) else { return nil }
            self = kind
        }
    }
}

extension PlatformError {
    /// Whether the system failed to read an existing file. A missing file is not such a failure.
    fileprivate var isOfSystem: Bool {
        if case .system(_, _, let errno) = self { errno != ENOENT } else { false }
    }
}

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
        dataService = try table.service("data_service")
        loginService = try table.service("login_service")
        domain = try table.loginPart("domain")
        schema = try table.loginPart("schema")
        try table.finish()
        fingerprint = try Self.fingerprint(pin, of: url, allowsPlaintext: allowsPlaintext)
    }

    /// Parses a file of the vendor. It cannot contain a pin.
    init(relativityClient bytes: [UInt8], path: String, stem: String) throws {
        let file = try RelativityClientFile(parsing: bytes)
        guard let address = file.serverURI else {
            throw AdministratorsServerFault("there is no Server/ServerUri: any host can announce a name")
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
            given = SHA256.digest(of: authority.canonicalRecord)
        }
        guard url.scheme == .http else {
            guard !allowsPlaintext else { throw AdministratorsServerFault("'allow_plaintext' is for plain HTTP only") }
            return given
        }
        guard given != nil || allowsPlaintext else { return nil }
        guard case .address(let address, _) = url.host else {
            throw AdministratorsServerFault("plain HTTP can only be trusted at an address, not at a name")
        }
        let derived = SHA256.digest(of: Pin.plain(address, port: url.port).canonicalRecord)
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
        if text == ServerTrust.ca.rawValue {
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

/// A file of the administrator, or their directory, that is not taken.
package enum AdministratorsFileProblem: Sendable, Hashable {
    /// - Parameters:
    ///   - isKept: what was read of the file before goes on to hold.
    ///   - reason: a text that is safe to show.
    case file(path: String, isKept: Bool, reason: String)
    /// - Parameters:
    ///   - isKept: what was read in it before goes on to hold.
    ///   - reason: a text that is safe to show.
    case directory(path: String, isKept: Bool, reason: String)
    /// The directory that was asked for does not exist.
    case noDirectory(path: String)
    /// The directory has `count` files, and the first `limit` by name are taken.
    case tooManyFiles(path: String, count: Int, limit: Int)

    static func reason(_ error: any Error) -> String {
        switch error as? PlatformError {
        case .unsafePermissions(_, let reason, let fix)?: "it \(reason); try: \(fix)"
        case .tooLarge(_, let limit)?: "it is larger than \(limit) bytes"
        case .system(let call, _, let errno)?: "\(call) failed: \(String(cString: strerror(errno)))"
        default: "\(error)"
        }
    }
}

/// For the log and `relativityd --check`.
extension AdministratorsFileProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(let path, let isKept, let reason):
            "the server's file '\(Printable(path))' \(isKept ? "is used as read before" : "is ignored"): \(reason)"
        case .directory(let path, let isKept, let reason):
            "the servers' files in '\(Printable(path))' \(isKept ? "are used as read before" : "are ignored"): \(reason)"
        case .noDirectory(let path):
            "the servers' files in '\(Printable(path))' are ignored: there is no such directory"
        case .tooManyFiles(let path, let count, let limit):
            "the servers' files in '\(Printable(path))' are not all used: of \(count), only the first \(limit) by name"
        }
    }
}
