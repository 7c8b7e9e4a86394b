// SPDX-License-Identifier: Apache-2.0

/// An optional value stored out of line: nil takes one word, whatever the size of `Value`.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
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
