// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import Platform
import Varlink

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
        try withWipedBytes(Self.frameBytes) { room throws(CredentialError) in
            let call = Self.parts(of: "Encrypt", name: name, member: "data")
            let text = Array(call.before.utf8)
            room.copyBytes(from: text)
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[text.count...])
            let encoded = key.withBytes { Base64.encode($0, into: rest) }
            let end = Array(call.after.utf8) + [0]
            UnsafeMutableRawBufferPointer(rebasing: rest[encoded...]).copyBytes(from: end)
            let frame = UnsafeRawBufferPointer(rebasing: room[..<(text.count + encoded + end.count)])
            return try exchange(frame, for: "blob") { blob throws(CredentialError) in
                guard (1...Self.maximumBlobBytes).contains(blob.count) else { throw unavailable("it gave no blob") }
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
                let key = try translated { () throws(PlatformError) in
                    try Secret(capacity: Self.keyByteCount, in: arena) { Base64.decode(text, into: $0) ?? 0 }
                }
                guard key.count == Self.keyByteCount else {
                    throw unavailable("it gave something else than a key of \(Self.keyByteCount) bytes")
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
        return try withWipedBytes(Self.frameBytes) { room throws(CredentialError) in
            let text: UnsafeRawBufferPointer
            do {
                let count = try connection.callUnbuffered(frame, into: room)
                text = try SecretReply.text(of: member, in: UnsafeRawBufferPointer(rebasing: room[..<count]))
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
            let interfaces = try connection.call("org.varlink.service.GetInfo").array("interfaces")
            guard interfaces.contains(.string(Self.interface)) else {
                throw unavailable("the service at '\(socketPath)' does not have \(Self.interface)")
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
            unavailable("nothing listens on '\(socketPath)'; it takes systemd 256 or later")
        case let error as VarlinkError: unavailable(SystemdCredsRefusal(error).description)
        default: unavailable("\(error)")
        }
    }

    private func unavailable(_ reason: String) -> CredentialError {
        .providerUnavailable(.systemdCreds, reason: reason)
    }
}
