// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Glibc
import JSON
import Platform

/// The logins that the administrator configured in `$CREDENTIALS_DIRECTORY` as `relativityd.login.NAME`, as they were
/// at the start. A password is read each time it is used, and is not stored. In its place a file can have a command that
/// prints it.
package struct ConfiguredLogins: Sendable {
    /// The server of a configured login.
    package struct Server: Sendable, Hashable {
        /// The permanent ID of its endpoint.
        package let id: EndpointID
        /// The name of the server in the first login that names it.
        package let name: String
        /// The URL in the file.
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

    /// The logins, ordered by name.
    package private(set) var logins: [Login] = []
    /// The servers of the logins, each once.
    package private(set) var servers: [Server] = []
    /// The files that were not accepted, with the reasons.
    package private(set) var problems: [ConfiguredLoginsProblem] = []
    private var files: [LoginID: File] = [:]

    /// Makes an empty list.
    package init() {}

    /// Reads the files. A faulty file is skipped and does not affect the others.
    ///
    /// - Parameters:
    ///   - directory: `$CREDENTIALS_DIRECTORY`, if it is set.
    ///   - now: seconds since 1970.
    ///   - endpointID: returns the permanent endpoint ID of a server.
    package init(directory: String?, now: UInt64, endpointID: (ServerURL) -> EndpointID) {
        guard let directory, directory.hasPrefix("/") else { return }
        let names = DirectoryNames.of(directory).filter { $0.hasPrefix(Self.prefix) }
        if names.count > Self.maximumFiles {
            problems.append(.tooManyFiles(count: names.count, limit: Self.maximumFiles))
        }
        for file in names.prefix(Self.maximumFiles) {
            let path = directory + "/" + file
            do {
                let content = try Self.read(path, endpointID) { content, _ throws(ConfiguredLoginFault) in content }
                try add(String(file.dropFirst(Self.prefix.count)), path, content, now: now)
            } catch {
                problems.append(.file(path: path, reason: Self.reason(error)))
            }
        }
    }

    /// Finds a login by name.
    package func login(named name: String) -> Login? { logins.first { $0.name == name } }

    func login(_ id: LoginID) -> Login? { logins.first { $0.id == id } }

    /// Returns the command that prints the password; nil if the file contains the password.
    ///
    /// - Throws: the errors of `withPassword`.
    func command(of id: LoginID, pin: Pin) throws -> SecretCommand? {
        guard let command = files[id]?.content.command else { return nil }
        try withPassword(of: id, pin: pin) { _ in }
        return command
    }

    /// Calls `body` with the password, and wipes it afterwards.
    ///
    /// - Throws: `CredentialError.pinMismatch`; `.configuredLoginLost` if the file has changed since the start; any
    ///   error of `body`.
    func withPassword<R>(of id: LoginID, pin: Pin, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        guard let file = files[id], let login = login(id) else {
            throw CredentialError.noSuchLogin(id.description)
        }
        guard login.pin.isSame(as: pin) else { throw CredentialError.pinMismatch(login.endpoint) }
        let endpointID = { (_: ServerURL) in login.endpoint }
        let outcome: Result<R, any Error>
        do {
            outcome = try Self.read(file.path, endpointID) { content, password throws(ConfiguredLoginFault) in
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
        now: UInt64
    ) throws {
        guard Self.isValid(name: name) else {
            throw ConfiguredLoginFault(
                reason: "the name is not 1 to \(Self.maximumNameBytes) letters, digits, '.', '_', '@' or '-'"
            )
        }
        let digest = SHA256.digest(of: Array("relativityd/login\0\(name)".utf8))
        guard let id = LoginID(bytes: Array(digest.prefix(LoginID.byteCount))) else { return }
        let endpoint = content.pinned.endpoint
        files[id] = File(path: path, content: content)
        if !servers.contains(where: { $0.id == endpoint }) {
            servers.append(Server(id: endpoint, name: name, url: content.url, file: path))
        }
        logins.append(
            Login(
                id: id,
                name: name,
                origin: .configured,
                account: content.account,
                command: content.command.map { PasswordCommand($0, isAgreed: true) },
                pinned: content.pinned,
                created: now,
                lastUsedDay: 0,
                revision: 1
            )
        )
    }

    private static func isValid(name: String) -> Bool {
        (1...maximumNameBytes).contains(name.utf8.count) && !name.hasPrefix("-") && !name.hasPrefix(".")
            && ASCII.isWord(name, marks: "._@-")
    }

    /// Reads a file into a separate arena, which is released when `body` returns.
    private static func read<R>(
        _ path: String,
        _ endpointID: (ServerURL) -> EndpointID,
        _ body: (ConfiguredLogin, UnsafeRawBufferPointer) throws(ConfiguredLoginFault) -> R
    ) throws -> R {
        let maximum = ConfiguredLoginText.maximumBytes
        let arena = try SecretArena(byteCount: maximum + 1)
        let file = try CredentialFile(path: path).read(maximumBytes: maximum, in: arena)
        return try file.withBytes { bytes throws(ConfiguredLoginFault) in
            let text = try ConfiguredLoginText(parsing: bytes)
            return try body(
                try ConfiguredLogin(text, endpointID),
                UnsafeRawBufferPointer(rebasing: bytes[text.password])
            )
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

/// The fields of one configured login, except the password.
struct ConfiguredLogin: Sendable, Hashable {
    let url: ServerURL
    let account: Account
    let pinned: PinnedEndpoint
    /// The command that prints the password; nil if the file contains it.
    let command: SecretCommand?

    /// - Parameter endpointID: returns the permanent endpoint ID of a server.
    init(_ text: ConfiguredLoginText, _ endpointID: (ServerURL) -> EndpointID) throws(ConfiguredLoginFault) {
        let values = text.values
        func required(_ key: ConfiguredLoginText.Key) throws(ConfiguredLoginFault) -> ConfiguredLoginText.Value {
            guard let value = values[key] else {
                throw ConfiguredLoginFault(reason: "there is no \(key.rawValue)= line")
            }
            return value
        }
        url = try Self.url(try required(.url))
        account = Account(
            user: try required(.user).text,
            domain: values[.domain]?.text ?? "",
            schema: values[.schema]?.text ?? "",
            userKey: try values[.userKey].map(Self.userKey) ?? .userID,
            extras: try Self.extras(text.extras)
        )
        let pin = try Self.pin(try required(.pin), of: url)
        command = try values[.passwordCommand].map(Self.command)
        let allowsPlaintext = try values[.allowPlaintext].map(Self.isYes) ?? false
        let zone: String? = if case .address(_, let zone) = url.host { zone } else { nil }
        pinned = PinnedEndpoint(
            endpoint: endpointID(url),
            pin: pin,
            allowsPlaintext: allowsPlaintext,
            networkID: try values[.network].map { value throws(ConfiguredLoginFault) in try Self.digest(value) },
            interface: zone
        )
        if pin.strength.isEncrypted, let value = values[.allowPlaintext] {
            throw value.fault("allow_plaintext is for plain HTTP only")
        }
        guard PlaintextRule(pin, PlaintextPermission(user: allowsPlaintext ? .here : .none)).refusal() == nil else {
            throw ConfiguredLoginFault(reason: "plain HTTP needs allow_plaintext=yes")
        }
        if pin.strength != .address, let value = values[.network] {
            throw value.fault("network is for plain HTTP to another machine only")
        }
    }

    private static func url(_ value: ConfiguredLoginText.Value) throws(ConfiguredLoginFault) -> ServerURL {
        do throws(ServerURLError) {
            return try ServerURL(completing: value.text)
        } catch {
            throw value.fault("\(error)")
        }
    }

    private static func command(_ value: ConfiguredLoginText.Value) throws(ConfiguredLoginFault) -> SecretCommand {
        let array = (try? JSONValue(parsing: value.text))?.arrayValue ?? []
        let words = array.compactMap(\.stringValue)
        guard words.count == array.count, let command = SecretCommand(words) else {
            throw value.fault("password_command is not an array of texts such as [\"pass\", \"show\", \"sales\"]")
        }
        return command
    }

    private static func userKey(_ value: ConfiguredLoginText.Value) throws(ConfiguredLoginFault) -> UserKey {
        guard let key = UserKey(rawValue: value.text) else {
            let names = UserKey.allCases.map(\.rawValue).joined(separator: " or ")
            throw value.fault("user_key must be \(names)")
        }
        return key
    }

    private static func extras(_ values: [ConfiguredLoginText.Value]) throws(ConfiguredLoginFault) -> [LoginExtra] {
        let extras = values.map { value in
            let parts = value.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init
            )
            return LoginExtra(key: parts[0], value: parts.count == 2 ? parts[1] : "")
        }
        do throws(CredentialError) {
            try LoginExtra.check(extras)
        } catch {
            throw ConfiguredLoginFault(line: values.last?.line, reason: "\(error)")
        }
        return extras
    }

    private static func isYes(_ value: ConfiguredLoginText.Value) throws(ConfiguredLoginFault) -> Bool {
        switch value.text {
        case "yes": return true
        case "no": return false
        default: throw value.fault("allow_plaintext must be yes or no")
        }
    }

    private static func digest(_ value: ConfiguredLoginText.Value) throws(ConfiguredLoginFault) -> [UInt8] {
        guard let bytes = HexText.decode(value.text), bytes.count == SHA256.byteCount else {
            throw value.fault("this is not 64 hexadecimal digits")
        }
        return bytes
    }

    /// The pin from the fingerprint in the file. The pin of plain HTTP follows from the address, so it is compared with
    /// that. The pin of a certificate authority follows from the host. The file contains `ca` for it.
    private static func pin(
        _ value: ConfiguredLoginText.Value,
        of url: ServerURL
    ) throws(ConfiguredLoginFault) -> Pin {
        guard url.scheme == .http else {
            let authority = Pin.authority(of: url.host)
            if value.text == ServerTrust.ca.rawValue {
                guard let authority else { throw value.fault("no certificate names a link-local address") }
                return authority
            }
            let fingerprint = try digest(value)
            if let authority, SHA256.digest(of: authority.canonicalRecord) == fingerprint { return authority }
            return .tls(spkiSHA256: fingerprint)
        }
        let fingerprint = try digest(value)
        guard case .address(let address, _) = url.host else {
            throw ConfiguredLoginFault(reason: "plain HTTP can only be pinned to an address, not to a name")
        }
        let pin = Pin.plain(address, port: url.port)
        guard SHA256.digest(of: pin.canonicalRecord) == fingerprint else {
            throw value.fault("this is not the fingerprint of plain HTTP at \(address) port \(url.port)")
        }
        return pin
    }
}

/// The text of a configured login, split into lines: `key=value`, comments and empty lines, and `password=` at the
/// end, unless there is `password_command=`.
///
/// The values are stored unchanged; `ConfiguredLogin` interprets them. The password is not stored.
struct ConfiguredLoginText {
    enum Key: String, CaseIterable {
        case url, user, domain, schema, pin, network, password
        /// The only key that may occur more than once.
        case extra
        case userKey = "user_key"
        case allowPlaintext = "allow_plaintext"
        case passwordCommand = "password_command"
    }

    struct Value: Hashable {
        let line: Int
        let text: String

        func fault(_ reason: String) -> ConfiguredLoginFault { ConfiguredLoginFault(line: line, reason: reason) }
    }

    static let maximumLines = 64
    static let maximumLineBytes = 1024
    /// The limit of the whole file.
    static let maximumBytes = 16 << 10

    private(set) var values: [Key: Value] = [:]
    private(set) var extras: [Value] = []
    /// The byte range of the password, without the line feed after it. Empty if there is a command.
    let password: Range<Int>

    /// Splits the text into lines.
    ///
    /// - Throws: the first fault. Its text never quotes the file, so that it cannot contain a secret.
    init(parsing bytes: UnsafeRawBufferPointer) throws(ConfiguredLoginFault) {
        guard bytes.count <= Self.maximumBytes else {
            throw ConfiguredLoginFault(reason: "is longer than \(Self.maximumBytes) bytes")
        }
        let (lineFeed, equals) = (UInt8(ascii: "\n"), UInt8(ascii: "="))
        var (start, number) = (0, 0)
        while start < bytes.count {
            number += 1
            func fault(_ reason: String) -> ConfiguredLoginFault { ConfiguredLoginFault(line: number, reason: reason) }
            guard number <= Self.maximumLines else { throw fault("there are more than \(Self.maximumLines) lines") }
            let end = bytes[start...].firstIndex(of: lineFeed) ?? bytes.count
            let line = bytes[start..<end]
            guard line.count <= Self.maximumLineBytes + Key.longest + 1 else { throw fault("the line is too long") }
            guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw fault("there is a control character, perhaps the carriage return of another system")
            }
            if line.isEmpty || line.first == UInt8(ascii: "#") {
                start = end + 1
                continue
            }
            guard let sign = line.firstIndex(of: equals) else { throw fault("this is not key=value") }
            guard let key = Key(bytes: line[..<sign]) else { throw fault("there is no such key") }
            let value = line[(sign + 1)...]
            guard !value.isEmpty else { throw fault("\(key.rawValue) has no value") }
            guard value.count <= Self.maximumLineBytes else { throw fault("\(key.rawValue) is too long") }
            if key == .password {
                guard end >= bytes.count - 1 else { throw fault("password has to be the last line") }
                guard values[.passwordCommand] == nil else { throw fault("password is for files without a command") }
                password = value.startIndex..<value.endIndex
                return
            }
            guard let text = String(validating: value, as: UTF8.self) else { throw fault("this is not UTF-8") }
            let entry = Value(line: number, text: text)
            if key == .extra { extras.append(entry) }
            guard values.updateValue(entry, forKey: key) == nil || key == .extra else {
                throw fault("\(key.rawValue) occurs twice")
            }
            start = end + 1
        }
        guard values[.passwordCommand] != nil else {
            throw ConfiguredLoginFault(reason: "there is no password= line")
        }
        password = 0..<0
    }
}

extension ConfiguredLoginText.Key {
    static let longest = allCases.map(\.rawValue.utf8.count).max() ?? 0

    fileprivate init?(bytes: Slice<UnsafeRawBufferPointer>) {
        guard let key = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(bytes) }) else { return nil }
        self = key
    }
}

/// An error in the file of a configured login.
struct ConfiguredLoginFault: Error, Hashable, CustomStringConvertible {
    /// The line number, from 1; nil if the error concerns the whole file.
    var line: Int?
    /// The reason. It never quotes a value, which might be a password in the wrong line.
    let reason: String

    var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}

/// A configured login that was not accepted.
package enum ConfiguredLoginsProblem: Sendable, Hashable {
    /// The file has a fault.
    ///
    /// - Parameter reason: a text that is safe to show.
    case file(path: String, reason: String)
    /// There are `count` files. Only the first `limit` in order of their names are read.
    case tooManyFiles(count: Int, limit: Int)
}
