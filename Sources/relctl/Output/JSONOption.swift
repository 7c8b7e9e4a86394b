// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON

/// `--json`: one object, or one on each line of a stream; relctl(1) has what it promises under JSON OUTPUT.
struct JSONOption: ParsableArguments {
    /// The version of what is promised: a number that grows when a member goes or comes to mean something else.
    private static let schemaVersion: Int64 = 1

    @Flag(name: .customLong("json"), help: "Print JSON instead of text.")
    var isOn = false

    /// On a line of its own, with the version of the schema in front.
    static func write(_ object: JSONObject) {
        var versioned: JSONObject = ["schemaVersion": .integer(schemaVersion)]
        for (key, value) in object { versioned[key] = value }
        Terminal.write(PrintableJSON(.object(versioned)).bytes + [UInt8(ascii: "\n")])
    }
}
