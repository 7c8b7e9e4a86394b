// SPDX-License-Identifier: Apache-2.0

/// A value in separate memory, which copies share until one is changed. It takes one word, whatever the size of the
/// value.
package struct Shared<Value: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
    private final class Storage: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var storage: Storage

    /// Stores a value.
    package init(_ value: Value) {
        storage = Storage(value)
    }

    /// Decodes the value itself.
    package init(from decoder: any Decoder) throws {
        self.init(try Value(from: decoder))
    }

    /// The value. Setting it does not change copies.
    package var value: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }

    /// Encodes the value itself.
    package func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
    }

    /// Whether one is an unchanged copy of the other, and so equal without a comparison.
    package func isCopy(of other: Self) -> Bool { storage === other.storage }

    /// Compares the values, unless they share memory.
    package static func == (one: Self, other: Self) -> Bool { one.isCopy(of: other) || one.value == other.value }

    /// Hashes the value.
    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
