// SPDX-License-Identifier: Apache-2.0

import CSecret
import Platform

/// The Secret Service of the desktop session, accessed through an encrypted session.
struct Keyring {
    private static let plain = "plain"

    let service: Owned<SecretService>
    let mayAsk: Bool

    /// - Throws: `Refusal` with `.noBus`, `.noService` or `.plainSession`, or with an error of the service.
    init(mayAsk: Bool) throws(Refusal) {
        self.mayAsk = mayAsk
        var error: UnsafeMutablePointer<GError>?
        guard let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, &error) else {
            throw Refusal(.noBus, Refusal(consuming: error).detail)
        }
        // The service holds a reference of its own.
        defer { g_object_unref(UnsafeMutableRawPointer(bus)) }
        // The loss of the bus must fail the current call; by default it would exit this process.
        g_dbus_connection_set_exit_on_close(bus, 0)
        let type = mayAsk ? PromptRule.announcing : PromptRule.refusing
        guard let opened = secret_service_open_sync(type, nil, SECRET_SERVICE_OPEN_SESSION, nil, &error) else {
            throw Refusal(consuming: error)
        }
        service = Owned(opened)
        guard let algorithms = secret_service_get_session_algorithms(opened),
            String(cString: algorithms) != Self.plain
        else { throw Refusal(.plainSession) }
    }

    /// - Parameter body: the bytes to store, for `store`.
    /// - Returns: the stored bytes, for `lookup`; otherwise nil.
    func answer(_ question: KeyringQuestion, _ body: borrowing Secret) throws(Refusal) -> StoredBytes? {
        let attributes = Attributes(of: question.item, storeID: question.storeID)
        do throws(Refusal) {
            switch question.verb {
            case .probe:
                try probe(attributes)
            case .store:
                try body.withBytes { bytes throws(Refusal) in try store(bytes, as: attributes) }
            case .lookup:
                guard let item = try find(attributes) else { throw Refusal(.notFound) }
                return try bytes(of: item)
            case .delete:
                try delete(attributes)
            }
            return nil
        } catch {
            // The service was running when the session was opened.
            throw error.failure == .noService ? Refusal(.vanished, error.detail) : error
        }
    }
}

extension Keyring {
    /// Returns the item with these attributes, unlocked; nil if there is none.
    ///
    /// A locked keyring may hide its items. So if nothing is found and the default keyring is locked, the result is
    /// `.locked` unless the keyring can be unlocked, and not nil.
    ///
    /// - Throws: `Refusal` with `.locked`, `.dismissed` or `.duplicates`.
    func find(_ attributes: Attributes) throws(Refusal) -> Owned<SecretItem>? {
        for _ in 0..<2 {
            let items = try search(attributes)
            guard items.count <= 1 else { throw Refusal(.duplicates) }
            if let item = items.first {
                if !item.isLocked { return item }
                try unlock(item.pointer)
            } else {
                guard let collection = try collection(SECRET_COLLECTION_DEFAULT), collection.isLocked else {
                    return nil
                }
                try unlock(collection.pointer)
            }
        }
        throw Refusal(.locked)
    }

    /// Returns the items of all collections that have these attributes.
    func search(_ attributes: Attributes) throws(Refusal) -> [Owned<SecretItem>] {
        var error: UnsafeMutablePointer<GError>?
        let list = secret_service_search_sync(service.pointer, nil, attributes.table, SECRET_SEARCH_ALL, nil, &error)
        guard error == nil else { throw Refusal(consuming: error) }
        defer { g_list_free(list) }
        var items: [Owned<SecretItem>] = []
        var link = list
        while let node = link {
            if let item = node.pointee.data?.assumingMemoryBound(to: SecretItem.self) { items.append(Owned(item)) }
            link = node.pointee.next
        }
        return items
    }

    /// Returns the default collection, unlocked.
    ///
    /// - Throws: `Refusal` with `.noDefaultCollection`, `.sessionCollection`, `.locked` or `.dismissed`.
    func collectionForNewItems() throws(Refusal) -> Owned<SecretCollection> {
        guard let collection = try collection(SECRET_COLLECTION_DEFAULT) else { throw Refusal(.noDefaultCollection) }
        let ofSession = try self.collection(SECRET_COLLECTION_SESSION)
        guard collection.path != ofSession?.path, !collection.path.hasSuffix("/collection/session") else {
            throw Refusal(.sessionCollection)
        }
        if collection.isLocked { try unlock(collection.pointer) }
        return collection
    }

    private func collection(_ alias: String) throws(Refusal) -> Owned<SecretCollection>? {
        var error: UnsafeMutablePointer<GError>?
        let found = secret_collection_for_alias_sync(service.pointer, alias, SECRET_COLLECTION_NONE, nil, &error)
        guard error == nil else { throw Refusal(consuming: error) }
        return found.map { Owned($0) }
    }

    /// Unlocks an item or a collection, if prompts are allowed.
    private func unlock(_ object: UnsafeMutableRawPointer) throws(Refusal) {
        guard mayAsk else { throw Refusal(.locked) }
        let list = g_list_append(nil, object)
        defer { g_list_free(list) }
        var unlocked: UnsafeMutablePointer<GList>?
        defer { g_list_free_full(unlocked, g_object_unref) }
        var error: UnsafeMutablePointer<GError>?
        let count = secret_service_unlock_sync(service.pointer, list, nil, &unlocked, &error)
        guard error == nil else { throw Refusal(consuming: error) }
        guard count > 0 else { throw Refusal(.dismissed) }
    }

    /// Runs a call of libsecret that returns whether it succeeded.
    func call(_ body: (inout UnsafeMutablePointer<GError>?) -> Bool) throws(Refusal) {
        var error: UnsafeMutablePointer<GError>?
        guard body(&error) else { throw Refusal(consuming: error) }
    }
}

extension Keyring {
    private static let contentType = "application/octet-stream"

    /// Stores the bytes, and reads them back.
    ///
    /// If an item with these attributes exists in any collection, its value is replaced. Otherwise an item is created
    /// in the default collection, and removed again if it does not read back.
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

    /// Removes all items with these attributes, including duplicates.
    func delete(_ attributes: Attributes) throws(Refusal) {
        for item in try search(attributes) {
            try call { secret_item_delete_sync(item.pointer, nil, &$0) != 0 }
        }
    }

    /// Stores, reads back and removes a random value.
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

    /// Returns the value of an item.
    ///
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

/// The attributes that identify an item. Keyrings store attributes unencrypted: they identify the vault, and reveal
/// nothing of its contents.
final class Attributes {
    private static let schema = "org.relativityd.Vault"

    let table: OpaquePointer
    /// The name that keyring programs show to the user.
    let label: String

    init(of item: KeyringItem, storeID: [UInt8]) {
        label = "relativityd vault (\(item.name))"
        table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)
        let attributes = [
            "xdg:schema": Self.schema, "application": "relativityd", "vault": HexText.encode(storeID),
            "item": item.name,
        ]
        for (name, value) in attributes { g_hash_table_insert(table, g_strdup(name), g_strdup(value)) }
    }

    deinit {
        g_hash_table_unref(table)
    }
}

/// The value of an item, in libsecret's locked memory, which is wiped when the last reference is released.
struct StoredBytes: ~Copyable {
    private let value: OpaquePointer

    /// - Parameter value: an owned reference, which this value releases.
    init(owning value: OpaquePointer) {
        self.value = value
    }

    deinit {
        secret_value_unref(UnsafeMutableRawPointer(value))
    }

    /// The pointer is valid only during the call.
    borrowing func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        var count: gsize = 0
        let start = secret_value_get(value, &count)
        return body(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }
}

/// An owned reference to a GLib object, released at deinitialisation.
final class Owned<Instance> {
    let pointer: UnsafeMutablePointer<Instance>

    /// - Parameter pointer: an owned reference.
    init(_ pointer: UnsafeMutablePointer<Instance>) {
        self.pointer = pointer
    }

    deinit {
        g_object_unref(pointer)
    }
}

extension Owned where Instance == SecretItem {
    var isLocked: Bool { secret_item_get_locked(pointer) != 0 }
}

extension Owned where Instance == SecretCollection {
    var isLocked: Bool { secret_collection_get_locked(pointer) != 0 }

    /// The object path on the bus, which identifies a collection.
    var path: String {
        UnsafeMutableRawPointer(pointer).withMemoryRebound(to: GDBusProxy.self, capacity: 1) { proxy in
            String(cString: g_dbus_proxy_get_object_path(proxy))
        }
    }
}
