// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import JSON
package import Platform
import Varlink

/// A key provider that needs no input from the user. systemd encrypts the key for this user alone, with a TPM or the
/// host's key. The encrypted key is a file next to the vault, one for each vault.
///
/// A process with root privileges on this machine can decrypt it. A copy of the disk or another user cannot.
package struct SystemdCreds: KeyProvider {
    /// The usual path of systemd's socket.
    package static let usualSocketPath = "/run/systemd/io.systemd.Credentials"

    private let directory: String
    private let service: SystemdCredsService

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - directory: the vault's directory, made with the first key.
    ///   - deadline: the timeout for each of a few calls.
    package init(
        directory: String,
        socketPath: String = SystemdCreds.usualSocketPath,
        deadline: Duration = .seconds(30)
    ) {
        self.directory = directory
        service = SystemdCredsService(socketPath: socketPath, deadline: deadline)
    }

    package var kind: KeyProviderKind { .systemdCreds }

    package func probe(in arena: SecretArena) throws(CredentialError) {
        let name = "relativityd.probe"
        let key = try freshKey(in: arena)
        let blob = try service.encrypt(key, name: name)
        guard try service.decrypt(blob, name: name, in: arena).isEqual(to: key) else {
            throw unavailable(.keyDiffers)
        }
    }

    package func makeKey(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        if let key = try storedKey(for: storeID, in: arena) { return key }
        let key = try freshKey(in: arena)
        let blob = try service.encrypt(key, name: Self.credentialName(storeID))
        try translating { () throws(PlatformError) in
            let directory = try ProtectedDirectory(directory, creating: true)
            try AtomicFile.write(blob, to: Self.fileName(storeID), in: directory)
        }
        do throws(CredentialError) {
            guard try storedKey(for: storeID, in: arena)?.isEqual(to: key) == true else {
                throw unavailable(.keyDiffers)
            }
        } catch {
            // Report the first failure, not one of the removal.
            try? removeKey(for: storeID)
            throw error
        }
        return key
    }

    package func key(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        guard let key = try storedKey(for: storeID, in: arena) else {
            throw unavailable(.keyMissing, path: "\(directory)/\(Self.fileName(storeID))")
        }
        return key
    }

    package func removeKey(for storeID: [UInt8]) throws(CredentialError) {
        do throws(PlatformError) {
            try ProtectedDirectory(directory).remove(Self.fileName(storeID))
        } catch {
            if case .system(_, _, errno: ENOENT) = error { return }
            throw CredentialError(error)
        }
    }

    /// Reads and decrypts the stored key.
    ///
    /// - Returns: nil if there is no file for this vault.
    private func storedKey(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret? {
        guard let blob = try blob(for: storeID) else { return nil }
        return try service.decrypt(blob, name: Self.credentialName(storeID), in: arena)
    }

    private func blob(for storeID: [UInt8]) throws(CredentialError) -> [UInt8]? {
        let name = Self.fileName(storeID)
        let bytes: [UInt8]?
        do throws(PlatformError) {
            bytes = try AtomicFile.read(
                name,
                in: try ProtectedDirectory(directory),
                maximumBytes: SystemdCredsService.maximumBlobBytes
            )
        } catch {
            switch error {
            case .system(_, _, errno: ENOENT): return nil
            case .tooLarge: throw unavailable(.keyDamaged, path: "\(directory)/\(name)")
            default: throw CredentialError(error)
            }
        }
        guard var bytes else { return nil }
        // The user may have copied the file with an editor, which appends a line feed.
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard !bytes.isEmpty, bytes.allSatisfy({ Base64.value(of: $0) != nil || $0 == UInt8(ascii: "=") }) else {
            throw unavailable(.keyDamaged, path: "\(directory)/\(name)")
        }
        return bytes
    }

    private func freshKey(in arena: SecretArena) throws(CredentialError) -> Secret {
        try translated(Secret(randomBytes: SystemdCredsService.keyByteCount, in: arena))
    }

    static func fileName(_ storeID: [UInt8]) -> String { "vault-\(HexText.encode(storeID)).systemd-creds" }

    /// The name binds the key to its vault: systemd refuses to decrypt it under any other name.
    private static func credentialName(_ storeID: [UInt8]) -> String { "relativityd.\(HexText.encode(storeID))" }
}

extension ProviderFault {
    /// The reason why systemd did not encrypt or decrypt.
    fileprivate init(of error: VarlinkError) {
        let prefix = "io.systemd.Credentials."
        switch error.name {
        case ServiceError.Code.permissionDenied.rawValue, "io.systemd.InteractiveAuthenticationRequired":
            self.init(code: .systemdDenied)
        case "io.systemd.System":
            self.init(code: .systemdError, number: try? error.parameters.integer("errno"))
        case let name where name.hasPrefix(prefix):
            let word = String(name.dropFirst(prefix.count))
            let code = Self.codes[word]
            self.init(code: code ?? .systemdRefused, detail: code == nil ? "\(Printable(word))" : nil)
        case let name:
            self.init(code: .systemdRefused, detail: "\(Printable(name))")
        }
    }

    /// The errors of `io.systemd.Credentials`.
    private static let codes: [String: Code] = [
        "BadFormat": .keyUnreadable, "NameMismatch": .keyOfOtherVault, "TimeMismatch": .keyNotValidNow,
        "NoSuchUser": .userUnknown, "BadScope": .keyOfOtherUser, "CantFindPCRSignature": .tpmRefused,
        "UnexpectedPCRState": .tpmRefused, "NullKeyNotAllowed": .keyNotEncrypted,
        "KeyBelongsToOtherTPM": .keyOfOtherTPM, "TPMInDictionaryLockout": .tpmLocked,
    ]
}

/// Client of systemd's `io.systemd.Credentials` (systemd 256 or later), for credentials bound to this machine and
/// this user.
///
/// The key is sent as base64 inside JSON. In this process it is only in memory that is wiped. The buffers of the
/// socket and of systemd's process are not under our control.
struct SystemdCredsService {
    let socketPath: String
    /// The timeout of each call. A TPM may take seconds.
    let deadline: Duration

    private static let interface = "io.systemd.Credentials"
    /// The maximum length of a call or reply.
    private static let frameBytes = 128 << 10
    static let maximumBlobBytes = 64 << 10
    static let keyByteCount = 32

    /// Encrypts a key.
    ///
    /// - Parameter name: letters, digits, `.` and `-`. It becomes part of the credential.
    /// - Returns: base64 text, which is not secret.
    func encrypt(_ key: borrowing Secret, name: String) throws(CredentialError) -> [UInt8] {
        try withWipedBytes(Self.frameBytes) { buffer throws(CredentialError) in
            let call = Self.parts(of: "Encrypt", name: name, member: "data")
            let text = Array(call.before.utf8)
            buffer.copyBytes(from: text)
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[text.count...])
            let encoded = key.withBytes { Base64.encode($0, into: rest) }
            let end = Array(call.after.utf8) + [0]
            UnsafeMutableRawBufferPointer(rebasing: rest[encoded...]).copyBytes(from: end)
            let frame = UnsafeRawBufferPointer(rebasing: buffer[..<(text.count + encoded + end.count)])
            return try exchange(frame, for: "blob") { blob throws(CredentialError) in
                guard (1...Self.maximumBlobBytes).contains(blob.count) else {
                    throw unavailable(ProviderFault(code: .systemdNoBlob))
                }
                return Array(blob)
            }
        }
    }

    /// Decrypts a key.
    ///
    /// - Parameter blob: base64 text, as `encrypt` returned it.
    func decrypt(_ blob: [UInt8], name: String, in arena: SecretArena) throws(CredentialError) -> Secret {
        let call = Self.parts(of: "Decrypt", name: name, member: "blob")
        let frame = Array(call.before.utf8) + blob + Array(call.after.utf8) + [0]
        return try frame.span.bytes.withUnsafeBytes { frame throws(CredentialError) in
            try exchange(frame, for: "data") { text throws(CredentialError) in
                let key = try translated(
                    Secret(capacity: Self.keyByteCount, in: arena) { Base64.decode(text, into: $0) ?? 0 }
                )
                guard key.count == Self.keyByteCount else {
                    throw unavailable(ProviderFault(code: .systemdNoKey, number: Int64(Self.keyByteCount)))
                }
                return key
            }
        }
    }

    /// The text of a call, before and after the value of its long member.
    private static func parts(of method: String, name: String, member: String) -> (before: String, after: String) {
        (
            #"{"method":"\#(interface).\#(method)","parameters":{"name":"\#(name)","scope":"user","uid":\#(geteuid()),"#
                + #""\#(member)":""#,
            #""}}"#
        )
    }

    private func exchange<R: ~Copyable>(
        _ frame: UnsafeRawBufferPointer,
        for member: String,
        _ body: (UnsafeRawBufferPointer) throws(CredentialError) -> R
    ) throws(CredentialError) -> R {
        let connection = try connect()
        defer { connection.close() }
        return try withWipedBytes(Self.frameBytes) { buffer throws(CredentialError) in
            let text: UnsafeRawBufferPointer
            do {
                let count = try connection.callUnbuffered(frame, into: buffer)
                text = try SecretReply.text(of: member, in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            } catch {
                throw failure(error)
            }
            return try body(text)
        }
    }

    /// Connects to the service, and checks that it has the interface.
    private func connect() throws(CredentialError) -> VarlinkConnection {
        do {
            let connection = try VarlinkConnection(path: socketPath, deadline: deadline, replyBytes: Self.frameBytes)
            guard try connection.call(ServiceAPI.GetInfoCall()).interfaces.contains(Self.interface) else {
                throw unavailable(ProviderFault(code: .systemdUnfit, path: socketPath))
            }
            return connection
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: any Error) -> CredentialError {
        switch error {
        case let error as CredentialError: error
        case VarlinkClientError.noService(_, errno: ENOENT), VarlinkClientError.noService(_, errno: ECONNREFUSED):
            unavailable(ProviderFault(code: .systemdMissing, path: socketPath))
        case let error as VarlinkError: unavailable(ProviderFault(of: error))
        default: unavailable(ProviderFault(code: .error, detail: "\(error)"))
        }
    }

    private func unavailable(_ fault: ProviderFault) -> CredentialError {
        .providerUnavailable(.systemdCreds, fault)
    }
}

/// Parses a Varlink reply with one secret member, which must not become a `String`. The member's text is cut out
/// before the rest is parsed, so that the JSON around it is still checked.
enum SecretReply {
    /// Finds the text of a secret member.
    ///
    /// - Parameter member: a member of `parameters`; its text is base64.
    /// - Returns: the text, a part of `frame`.
    /// - Throws: `VarlinkError` if the reply is an error; `VarlinkClientError.malformed` for any other frame.
    static func text(of member: String, in frame: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer {
        guard let value = value(of: member, in: frame) else {
            throw try error(in: frame[...]) ?? VarlinkClientError.malformed("no '\(member)'")
        }
        let reply = try object(Array(frame[..<value.lowerBound]) + Array(frame[value.upperBound...]))
        guard reply["error"] == nil, reply["parameters"]?.objectValue?[member]?.stringValue == "" else {
            throw VarlinkClientError.malformed("no valid '\(member)'")
        }
        return UnsafeRawBufferPointer(rebasing: frame[value])
    }

    private static func error(in frame: Slice<UnsafeRawBufferPointer>) throws -> VarlinkError? {
        let reply = try object(Array(frame))
        guard let name = reply["error"]?.stringValue else { return nil }
        return VarlinkError(name, reply["parameters"]?.objectValue ?? [:])
    }

    private static func object(_ bytes: [UInt8]) throws -> JSONObject {
        let limits = JSONLimits(depth: 16, bytes: bytes.count + 1, values: 1024)
        guard let object = try? JSONValue(parsing: bytes, limits: limits).objectValue else {
            throw VarlinkClientError.malformed("no JSON object")
        }
        return object
    }

    /// The range of the member's base64 text between its quotes; nil unless the name occurs exactly once, with such a
    /// value.
    private static func value(of member: String, in frame: UnsafeRawBufferPointer) -> Range<Int>? {
        let name = Array("\"\(member)\"".utf8)
        let places = frame.indices.filter { frame[$0...].starts(with: name) }
        guard let place = places.first, places.count == 1 else { return nil }
        var index = place + name.count
        func skip(_ isSkipped: (UInt8) -> Bool) { while index < frame.count, isSkipped(frame[index]) { index += 1 } }
        func take(_ byte: UInt8) -> Bool {
            guard index < frame.count, frame[index] == byte else { return false }
            index += 1
            return true
        }
        skip(isBlank)
        guard take(UInt8(ascii: ":")) else { return nil }
        skip(isBlank)
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = index
        skip { Base64.value(of: $0) != nil || $0 == UInt8(ascii: "=") }
        let end = index
        return take(UInt8(ascii: "\"")) ? start..<end : nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n")
            || byte == UInt8(ascii: "\r")
    }
}
