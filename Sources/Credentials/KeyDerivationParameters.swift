// SPDX-License-Identifier: Apache-2.0

import CLibCrypto
import Platform

/// The OSSL_PARAM array for one derivation, and the memory that it points to.
struct KeyDerivationParameters: ~Copyable {
    private var parameters: [OSSL_PARAM] = []
    private var copies: [UnsafeMutableRawPointer] = []

    deinit {
        for copy in copies { copy.deallocate() }
    }

    /// Adds bytes without copying them. They must outlive the derivation.
    mutating func add(_ name: String, _ bytes: UnsafeRawBufferPointer) {
        // libcrypto takes a mutable pointer but only reads from it. An empty value still needs an address.
        let pointer = UnsafeMutableRawPointer(mutating: bytes.baseAddress) ?? copy([0])
        parameters.append(OSSL_PARAM_construct_octet_string(key(name), pointer, bytes.count))
    }

    mutating func add(_ name: String, copying bytes: [UInt8]) {
        parameters.append(OSSL_PARAM_construct_octet_string(key(name), copy(bytes.isEmpty ? [0] : bytes), bytes.count))
    }

    mutating func add(_ name: String, text: String) {
        let pointer = copy(Array(text.utf8) + [0]).assumingMemoryBound(to: CChar.self)
        parameters.append(OSSL_PARAM_construct_utf8_string(key(name), pointer, 0))
    }

    mutating func add(_ name: String, number: UInt64) {
        let pointer = copy(withUnsafeBytes(of: number) { Array($0) }).assumingMemoryBound(to: UInt64.self)
        parameters.append(OSSL_PARAM_construct_uint64(key(name), pointer))
    }

    /// Runs the derivation and returns its result as a new secret.
    borrowing func derive(_ function: String, byteCount: Int, in arena: SecretArena) throws(PlatformError) -> Secret {
        guard let kdf = EVP_KDF_fetch(nil, function, nil) else { throw .crypto(call: "EVP_KDF_fetch") }
        defer { EVP_KDF_free(kdf) }
        guard let context = EVP_KDF_CTX_new(kdf) else { throw .crypto(call: "EVP_KDF_CTX_new") }
        defer { EVP_KDF_CTX_free(context) }
        let all = parameters + [OSSL_PARAM_construct_end()]
        return try Secret(capacity: byteCount, in: arena) { room throws(PlatformError) in
            let output = room.assumingMemoryBound(to: UInt8.self).baseAddress
            guard EVP_KDF_derive(context, output, byteCount, all) == 1 else {
                ERR_clear_error()
                throw .crypto(call: "EVP_KDF_derive")
            }
            return byteCount
        }
    }

    private mutating func copy(_ bytes: [UInt8]) -> UnsafeMutableRawPointer {
        let room = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
        room.copyMemory(from: bytes, byteCount: bytes.count)
        copies.append(room)
        return room
    }

    private mutating func key(_ name: String) -> UnsafePointer<CChar> {
        UnsafePointer(copy(Array(name.utf8) + [0]).assumingMemoryBound(to: CChar.self))
    }
}
