// SPDX-License-Identifier: Apache-2.0

import CSecret
import KeyringWire

extension Keyring {
    /// The one item with these attributes, unlocked; nil if there is none.
    ///
    /// A locked keyring may keep to itself what is in it: nothing found there is `.locked`, not nothing.
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

    /// The items of all collections that have these attributes.
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

    /// The default collection, unlocked.
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

    /// Asks for an item or collection to be unlocked, where a person may be asked.
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

    /// Runs a call of libsecret that says whether it succeeded.
    func call(_ body: (inout UnsafeMutablePointer<GError>?) -> Bool) throws(Refusal) {
        var error: UnsafeMutablePointer<GError>?
        guard body(&error) else { throw Refusal(consuming: error) }
    }
}
