// SPDX-License-Identifier: Apache-2.0

import CSecret
import KeyringWire
import Platform

/// What an item is found by. Keyrings keep attributes in the open: they name the vault, and nothing of what is in it.
final class Attributes {
    private static let schema = "org.relativityd.Vault"

    let table: OpaquePointer
    /// What keyring programs show to people.
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
