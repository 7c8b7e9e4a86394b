// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Glibc
import Platform

/// The logins that the administrator laid into `$CREDENTIALS_DIRECTORY` as `relativityd.login.NAME`, as they were at
/// the start. Passwords are read when they are used, and are not kept.
package struct ConfiguredLogins: Sendable {
    /// A server that such a login is for.
    package struct Server: Sendable, Hashable {
        package let id: EndpointID
        /// That of its first login.
        package let name: String
        package let url: ServerURL
        /// The file of that login.
        package let file: String
    }

    private struct File: Sendable {
        let path: String
        let content: ConfiguredLogin
    }

    static let prefix = "relativityd.login."
    static let maximumFiles = 64
    static let maximumNameBytes = 63

    /// By name.
    package private(set) var logins: [Login] = []
    package private(set) var servers: [Server] = []
    /// What could not be taken.
    package private(set) var problems: [ConfiguredLoginsProblem] = []
    private var files: [LoginID: File] = [:]

    /// None.
    package init() {}

    /// Reads the files. A faulty one is left out, and hurts no other.
    ///
    /// - Parameters:
    ///   - directory: `$CREDENTIALS_DIRECTORY`, if it is set.
    ///   - now: seconds since 1970.
    ///   - endpointID: names the endpoint of a server for good.
    package init(directory: String?, now: UInt64, endpointID: (ServerURL) -> EndpointID) {
        guard let directory, directory.hasPrefix("/") else { return }
        let names = DirectoryNames.of(directory).filter { $0.hasPrefix(Self.prefix) }
        if names.count > Self.maximumFiles {
            problems.append(.tooManyFiles(count: names.count, limit: Self.maximumFiles))
        }
        for file in names.prefix(Self.maximumFiles) {
            let path = directory + "/" + file
            do {
                let content = try Self.read(path) { content, _ throws(ConfiguredLoginFault) in content }
                try add(String(file.dropFirst(Self.prefix.count)), path, content, now: now, endpointID)
            } catch {
                problems.append(.file(path: path, reason: Self.reason(error)))
            }
        }
    }

    package func login(named name: String) -> Login? { logins.first { $0.name == name } }

    func contains(_ id: LoginID) -> Bool { files[id] != nil }

    /// Lends the password for the moment of its use.
    ///
    /// - Throws: `CredentialError.pinMismatch`, or `.configuredLoginLost` if the file is not what it was; what `body`
    ///   throws.
    func withPassword<R>(of id: LoginID, pin: Pin, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        guard let file = files[id], let login = logins.first(where: { $0.id == id }) else {
            throw CredentialError.noSuchLogin(id.description)
        }
        guard login.pin.isSame(as: pin) else { throw CredentialError.pinMismatch(login.endpoint) }
        let outcome: Result<R, any Error>
        do {
            outcome = try Self.read(file.path) { content, password throws(ConfiguredLoginFault) in
                guard content == file.content else {
                    throw ConfiguredLoginFault(reason: "has changed since the start")
                }
                return Result { try body(password) }
            }
        } catch {
            throw CredentialError.configuredLoginLost(login.name, reason: Self.reason(error))
        }
        return try outcome.get()
    }

    private mutating func add(
        _ name: String,
        _ path: String,
        _ content: ConfiguredLogin,
        now: UInt64,
        _ endpointID: (ServerURL) -> EndpointID
    ) throws {
        guard Self.isValid(name: name) else {
            throw ConfiguredLoginFault(
                reason: "the name is not 1 to \(Self.maximumNameBytes) letters, digits, '.', '_', '@' or '-'"
            )
        }
        let digest = try SHA256.digest(of: Array("relativityd/login\0\(name)".utf8))
        guard let id = LoginID(bytes: Array(digest.prefix(LoginID.byteCount))) else { return }
        let endpoint = endpointID(content.url)
        files[id] = File(path: path, content: content)
        if !servers.contains(where: { $0.id == endpoint }) {
            servers.append(Server(id: endpoint, name: name, url: content.url, file: path))
        }
        logins.append(Login(content, id: id, name: name, endpoint: endpoint, created: now))
    }

    private static func isValid(name: String) -> Bool {
        (1...maximumNameBytes).contains(name.utf8.count) && !name.hasPrefix("-") && !name.hasPrefix(".")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }

    /// Reads a file into an arena of its own, which is gone when `body` returns.
    private static func read<R>(
        _ path: String,
        _ body: (ConfiguredLogin, UnsafeRawBufferPointer) throws(ConfiguredLoginFault) -> R
    ) throws -> R {
        let maximum = ConfiguredLoginText.maximumBytes
        let arena = try SecretArena(byteCount: maximum + 1)
        let file = try CredentialFile(path: path).read(maximumBytes: maximum, in: arena)
        return try file.withBytes { bytes throws(ConfiguredLoginFault) in
            let text = try ConfiguredLoginText(parsing: bytes)
            return try body(try ConfiguredLogin(text), UnsafeRawBufferPointer(rebasing: bytes[text.password]))
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case CredentialError.unsafePermissions(_, let reason, let fix): "it \(reason); try: \(fix)"
        case let error as CredentialError: "\(error)"
        default: "\(error)"
        }
    }
}

extension Login {
    fileprivate init(_ content: ConfiguredLogin, id: LoginID, name: String, endpoint: EndpointID, created: UInt64) {
        self.id = id
        self.name = name
        origin = .configured
        self.endpoint = endpoint
        user = content.user
        domain = content.domain
        schema = content.schema
        userKey = content.userKey
        extras = content.extras
        pin = content.pin
        allowsPlaintext = content.allowsPlaintext
        networkID = content.networkID
        interface = content.interface
        isVerified = true
        agreedURL = nil
        hasEnvelopePassword = false
        self.created = created
        lastUsedDay = 0
        revision = 1
    }
}
