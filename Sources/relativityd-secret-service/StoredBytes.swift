// SPDX-License-Identifier: Apache-2.0

import CSecret

/// What an item holds, in libsecret's locked memory, which it wipes when the last owner lets go.
struct StoredBytes: ~Copyable {
    private let value: OpaquePointer

    /// - Parameter value: an owned reference, which this object gives back.
    init(owning value: OpaquePointer) {
        self.value = value
    }

    deinit {
        secret_value_unref(UnsafeMutableRawPointer(value))
    }

    /// The pointer is valid during the call only.
    borrowing func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        var count: gsize = 0
        let start = secret_value_get(value, &count)
        return body(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }
}
