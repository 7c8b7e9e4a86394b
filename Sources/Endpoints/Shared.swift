// SPDX-License-Identifier: Apache-2.0

/// A value in memory of its own, which copies share until they are changed: one word, however large the value is.
package struct Shared<Value: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
    private final class Storage: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var storage: Storage

    package init(_ value: Value) {
        storage = Storage(value)
    }

    package init(from decoder: any Decoder) throws {
        self.init(try Value(from: decoder))
    }

    package var value: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }

    package func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
    }

    /// One is a copy of the other: equal without comparing.
    package func isCopy(of other: Self) -> Bool { storage === other.storage }

    package static func == (one: Self, other: Self) -> Bool { one.isCopy(of: other) || one.value == other.value }

    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
