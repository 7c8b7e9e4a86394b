// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import JSON
internal import NIOCore
internal import Platform

/// The request for a token, as JSON. It is built byte by byte, because the password must not become a string.
struct AuthenticationBody: ~Copyable {
    /// The request's body. The sender must wipe it.
    let bytes: ByteBuffer

    private static let maximumPassword = 1_024

    /// Reads the password file. Blocks.
    ///
    /// - Throws: `EtcdError.file`
    init(_ user: EtcdUser) throws(EtcdError) {
        do throws(PlatformError) {
            let arena = try SecretArena(byteCount: Self.maximumPassword + 1)
            let password = try SecretFile.withDescriptor(of: user.passwordFile) { file throws(PlatformError) in
                try SecretLineReader.read(from: file, maximumBytes: Self.maximumPassword, in: arena)
            }
            bytes = password.withBytes { Self.json(user: user.name, password: $0) }
        } catch {
            throw .file(reason: "the password of etcd's user '\(Printable(user.name))' cannot be read: \(error)")
        }
    }

    static func json(user: String, password: UnsafeRawBufferPointer) -> ByteBuffer {
        let name = JSONValue.string(user).serialized()
        // Capacity for every byte of the password as \u00XX, so that the buffer never grows and leaves a copy in
        // freed memory.
        var buffer = ByteBufferAllocator().buffer(capacity: name.count + 6 * password.count + 32)
        buffer.writeStaticString("{\"name\":")
        buffer.writeBytes(name)
        buffer.writeStaticString(",\"password\":\"")
        for byte in password {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                buffer.writeInteger(UInt8(ascii: "\\"))
                buffer.writeInteger(byte)
            case 0..<0x20:
                buffer.writeStaticString("\\u00")
                buffer.writeInteger(UInt8(ascii: "0") + (byte >> 4))
                let digit = byte & 0xF
                buffer.writeInteger(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            default:
                buffer.writeInteger(byte)
            }
        }
        buffer.writeStaticString("\"}")
        return buffer
    }
}
