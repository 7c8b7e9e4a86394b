// SPDX-License-Identifier: Apache-2.0

import CSecret
import KeyringWire
import Platform

extension Keyring {
    private static let contentType = "application/octet-stream"

    /// Keeps the bytes, and reads them back.
    ///
    /// An item that is there gets them as its new value, in whatever collection it is. A new one goes to the default
    /// collection; where it does not read back it is removed again.
    func store(_ bytes: UnsafeRawBufferPointer, as attributes: Attributes) throws(Refusal) {
        let value = value(of: bytes)
        defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
        if let item = try find(attributes) {
            try call { secret_item_set_secret_sync(item.pointer, value, nil, &$0) != 0 }
            try check(attributes, holds: bytes)
            return
        }
        let collection = try collectionForNewItems()
        var error: UnsafeMutablePointer<GError>?
        guard
            let created = secret_item_create_sync(
                collection.pointer,
                nil,
                attributes.table,
                attributes.label,
                value,
                SECRET_ITEM_CREATE_NONE,
                nil,
                &error
            )
        else { throw Refusal(consuming: error) }
        let item = Owned(created)
        do throws(Refusal) {
            try check(attributes, holds: bytes)
        } catch {
            _ = secret_item_delete_sync(item.pointer, nil, nil)
            throw error
        }
    }

    /// Removes all items with these attributes, duplicates too.
    func delete(_ attributes: Attributes) throws(Refusal) {
        for item in try search(attributes) {
            try call { secret_item_delete_sync(item.pointer, nil, &$0) != 0 }
        }
    }

    func probe(_ attributes: Attributes) throws(Refusal) {
        let bytes: [UInt8]
        do throws(PlatformError) {
            bytes = try SystemRandom().bytes(32)
        } catch {
            throw Refusal(.helper, error.description)
        }
        var failure: Refusal?
        bytes.withUnsafeBytes { buffer in
            do throws(Refusal) { try store(buffer, as: attributes) } catch { failure = error }
        }
        if let failure { throw failure }
        try delete(attributes)
        guard try search(attributes).isEmpty else { throw Refusal(.notKept, "the item could not be removed") }
    }

    /// - Throws: `Refusal` with `.notFound`, `.locked` or `.tooLarge`.
    func bytes(of item: Owned<SecretItem>) throws(Refusal) -> StoredBytes {
        try call { secret_item_load_secret_sync(item.pointer, nil, &$0) != 0 }
        guard let value = secret_item_get_secret(item.pointer) else { throw Refusal(.notFound) }
        let bytes = StoredBytes(owning: value)
        guard bytes.withBytes({ $0.count <= KeyringItem.maximumByteCount }) else { throw Refusal(.tooLarge) }
        return bytes
    }

    private func check(_ attributes: Attributes, holds expected: UnsafeRawBufferPointer) throws(Refusal) {
        guard let item = try find(attributes) else { throw Refusal(.notKept) }
        let isSame = try bytes(of: item).withBytes { ConstantTime.areEqual($0, expected) }
        guard isSame else { throw Refusal(.notKept) }
    }

    /// - Returns: an owned reference to a copy in libsecret's locked memory.
    private func value(of bytes: UnsafeRawBufferPointer) -> OpaquePointer {
        secret_value_new(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, Self.contentType)
    }
}
