// SPDX-License-Identifier: Apache-2.0

import CLibCrypto
import Platform

/// The data key of a vault, from which the keys of its saves and of its seals are derived (docs/vault-format.md).
struct DataKey: Sendable {
    static let byteCount = 32

    let secret: SharedSecret
    /// The store ID of the vault, 16 bytes.
    let storeID: [UInt8]
    /// The memory of the key, and of the keys that are derived from it.
    let arena: SecretArena

    /// Makes a random key.
    static func fresh(
        for storeID: [UInt8],
        in arena: SecretArena,
        from random: any RandomSource
    ) throws(PlatformError) -> DataKey {
        let secret = SharedSecret(try Secret(randomBytes: byteCount, in: arena, from: random))
        return DataKey(secret: secret, storeID: storeID, arena: arena)
    }

    func isSame(as other: DataKey) -> Bool { secret.secret.isEqual(to: other.secret.secret) }

    func payloadKey(saveSalt: [UInt8]) throws(PlatformError) -> Secret {
        try derive("rcv1/payload", salt: storeID + saveSalt)
    }

    func headerTag(of header: [UInt8], saveSalt: [UInt8]) throws(PlatformError) -> [UInt8] {
        let key = try derive("rcv1/header", salt: storeID + saveSalt)
        return try key.withBytes { key throws(PlatformError) in try HMACSHA256.tag(of: header, key: key) }
    }

    /// Derives a key of 32 bytes.
    func derive(_ label: String, _ context: [UInt8] = [], salt: [UInt8]) throws(PlatformError) -> Secret {
        try KeyDerivation.hkdf(
            secret.secret,
            salt: salt,
            info: Array(label.utf8) + context,
            byteCount: AESGCM.keyByteCount,
            in: arena
        )
    }

    /// Wraps the key for a slot under a fresh salt, and checks that the slot opens again.
    func wrapped(for slot: NewSlot, random: any RandomSource) throws(CredentialError) -> KeySlot {
        let salt = try translated(random.bytes(SlotIdentity.saltByteCount))
        let identity = SlotIdentity(kind: slot.kind, cost: slot.cost, id: slot.id, salt: salt)
        let slotSecret = try translated(identity.slotSecret(from: slot.secret.secret, in: arena))
        let wrapped = try wrapped(for: identity, slotSecret: slotSecret, label: slot.label, created: slot.created)
        guard try wrapped.unwrap(slotSecret, storeID: storeID, in: arena).isSame(as: self) else {
            throw .damaged(.slotKey)
        }
        return wrapped
    }

    /// Wraps the key for one slot. The slot's salt must never have been used before.
    func wrapped(
        for slot: SlotIdentity,
        slotSecret: borrowing Secret,
        label: String,
        created: UInt64
    ) throws(CredentialError) -> KeySlot {
        try translating { () throws(PlatformError) in
            let keys = try slot.keys(from: slotSecret, storeID: storeID, in: arena)
            let associatedData = slot.associatedData(storeID: storeID, commitment: keys.commitment)
            let wrapped = try secret.secret.withBytes { plain throws(PlatformError) in
                try AESGCM.seal(plain, key: keys.wrapping, associatedData: associatedData)
            }
            return KeySlot(
                slot,
                commitment: keys.commitment,
                wrappedKey: wrapped.ciphertext + wrapped.tag,
                label: label,
                created: created
            )
        }
    }
}

extension KeySlot {
    /// Unwraps the data key.
    ///
    /// - Throws: `CredentialError.wrongKey` if the commitment differs, which is checked before anything is decrypted;
    ///   `.damaged(.slotKey)` if the commitment matches but the wrapped key does not open.
    func unwrap(
        _ slotSecret: borrowing Secret,
        storeID: [UInt8],
        in arena: SecretArena
    ) throws(CredentialError) -> DataKey {
        let keys = try translated(identity.keys(from: slotSecret, storeID: storeID, in: arena))
        guard ConstantTime.areEqual(keys.commitment, commitment) else { throw .wrongKey }
        let associatedData = identity.associatedData(storeID: storeID, commitment: commitment)
        let wrapped = Array(wrappedKey[..<DataKey.byteCount])
        let tag = Array(wrappedKey[DataKey.byteCount...])
        var isRight = false
        let secret = try translating { () throws(PlatformError) in
            try Secret(capacity: wrapped.count, in: arena) { buffer throws(PlatformError) in
                isRight = try wrapped.span.bytes.withUnsafeBytes { wrapped throws(PlatformError) in
                    try AESGCM.open(wrapped, tag: tag, key: keys.wrapping, associatedData: associatedData, into: buffer)
                }
                return buffer.count
            }
        }
        guard isRight else { throw .damaged(.slotKey) }
        return DataKey(secret: SharedSecret(secret), storeID: storeID, arena: arena)
    }
}

extension SlotIdentity {
    private static let label = Array("rcv1/slot".utf8)

    /// The keys that are derived from a slot's secret.
    struct Keys: ~Copyable {
        let wrapping: Secret
        let commitment: [UInt8]
    }

    /// Derives the slot secret, S in docs/vault-format.md.
    ///
    /// - Parameter secret: the provider's secret: a normalised passphrase, the 20 bytes of a recovery code, or 32
    ///   bytes.
    func slotSecret(from secret: borrowing Secret, in arena: SecretArena) throws(PlatformError) -> Secret {
        guard let cost else { return try secret.duplicate(in: arena) }
        return try KeyDerivation.scrypt(secret, salt: salt, cost: cost, in: arena)
    }

    func keys(
        from slotSecret: borrowing Secret,
        storeID: [UInt8],
        in arena: SecretArena
    ) throws(PlatformError) -> Keys {
        let info = Self.label + storeID + id + [kind.rawValue] + parameters
        var keys = try KeyDerivation.hkdf(slotSecret, salt: salt, info: info, byteCount: 64, in: arena)
        let commitment = keys.withBytes { Array($0[32...]) }
        keys.truncate(to: AESGCM.keyByteCount)
        return Keys(wrapping: keys, commitment: commitment)
    }

    /// The associated data of a wrapped key. It contains only what cannot change without a new wrapping: not the
    /// state, the label or other slots.
    func associatedData(storeID: [UInt8], commitment: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.label)
        writer.append(VaultHeader.suite)
        writer.append(storeID)
        writer.append(id)
        writer.append(kind.rawValue)
        writer.append(parameters)
        writer.append(salt)
        writer.append(commitment)
        return writer.bytes
    }
}

/// The two key derivation functions of suite 1.
enum KeyDerivation {
    /// HKDF (RFC 5869) with SHA-512, extract and expand.
    static func hkdf(
        _ secret: borrowing Secret,
        salt: [UInt8],
        info: [UInt8],
        byteCount: Int,
        in arena: SecretArena
    ) throws(PlatformError) -> Secret {
        try secret.withBytes { key throws(PlatformError) in
            var parameters = KeyDerivationParameters()
            parameters.add(OSSL_KDF_PARAM_DIGEST, text: "SHA2-512")
            parameters.add(OSSL_KDF_PARAM_KEY, key)
            parameters.add(OSSL_KDF_PARAM_SALT, copying: salt)
            parameters.add(OSSL_KDF_PARAM_INFO, copying: info)
            return try parameters.derive("HKDF", byteCount: byteCount, in: arena)
        }
    }

    /// scrypt (RFC 7914) with the parameters of a passphrase slot.
    static func scrypt(
        _ passphrase: borrowing Secret,
        salt: [UInt8],
        cost: ScryptCost,
        in arena: SecretArena
    ) throws(PlatformError) -> Secret {
        let (n, r, p) = (UInt64(1) << UInt64(cost.log2N), UInt64(ScryptCost.r), UInt64(ScryptCost.p))
        return try passphrase.withBytes { passphrase throws(PlatformError) in
            var parameters = KeyDerivationParameters()
            parameters.add(OSSL_KDF_PARAM_PASSWORD, passphrase)
            parameters.add(OSSL_KDF_PARAM_SALT, copying: salt)
            parameters.add(OSSL_KDF_PARAM_SCRYPT_N, number: n)
            parameters.add(OSSL_KDF_PARAM_SCRYPT_R, number: r)
            parameters.add(OSSL_KDF_PARAM_SCRYPT_P, number: p)
            // The exact requirement and 1 MiB, instead of libcrypto's default limit.
            parameters.add(OSSL_KDF_PARAM_SCRYPT_MAXMEM, number: 128 * r * (n + p + 2) + (1 << 20))
            return try parameters.derive("SCRYPT", byteCount: AESGCM.keyByteCount, in: arena)
        }
    }
}

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
        return try Secret(capacity: byteCount, in: arena) { buffer throws(PlatformError) in
            let output = buffer.assumingMemoryBound(to: UInt8.self).baseAddress
            guard EVP_KDF_derive(context, output, byteCount, all) == 1 else {
                ERR_clear_error()
                throw .crypto(call: "EVP_KDF_derive")
            }
            return byteCount
        }
    }

    private mutating func copy(_ bytes: [UInt8]) -> UnsafeMutableRawPointer {
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
        buffer.copyMemory(from: bytes, byteCount: bytes.count)
        copies.append(buffer)
        return buffer
    }

    private mutating func key(_ name: String) -> UnsafePointer<CChar> {
        UnsafePointer(copy(Array(name.utf8) + [0]).assumingMemoryBound(to: CChar.self))
    }
}
