// SPDX-License-Identifier: Apache-2.0

import Fuzzing
import JSON
import Varlink

/// API frames: an accepted frame must survive the round trip.
@main
enum JSONFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let bytes = input
        if let value = try? JSONValue(parsing: bytes) {
            guard (try? JSONValue(parsing: value.serialized())) == value else {
                fatalError("a value does not read back")
            }
        }
        _ = try? VarlinkDescription(parsing: String(decoding: bytes, as: UTF8.self))
    }
}
