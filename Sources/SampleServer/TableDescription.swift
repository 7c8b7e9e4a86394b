// SPDX-License-Identifier: Apache-2.0

/// A table as the schema shows it.
struct TableDescription: Hashable, Sendable {
    struct Column: Hashable, Sendable {
        let name: String
        /// A Data Abstract type name such as `datInteger`.
        let dataType: String
        let isInPrimaryKey: Bool
        let isRequired: Bool
    }

    let name: String
    let columns: [Column]
}
