// SPDX-License-Identifier: Apache-2.0

/// A value that few of many have: where it is missing it takes a word, however large it is.
@propertyWrapper
struct Rare<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var storage: Storage?

    init(wrappedValue: Value?) {
        storage = wrappedValue.map(Storage.init)
    }

    var wrappedValue: Value? {
        get { storage?.value }
        set { storage = newValue.map(Storage.init) }
    }
}
