// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON

/// `--json`, on every verb that reads.
struct JSONOption: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print JSON instead of text.")
    var isOn = false

    /// One JSON value on a line of its own.
    static func write(_ value: JSONValue) {
        Terminal.write(value.serialized() + [UInt8(ascii: "\n")])
    }
}
