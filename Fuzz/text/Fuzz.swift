// SPDX-License-Identifier: Apache-2.0

import Configuration
import Fuzzing

/// Files that users write: the configuration file and the administrator's server files.
@main
enum TextFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        _ = try? DaemonConfiguration(parsing: text)
        _ = try? AdministratorsServer(toml: text, path: "/x.toml", stem: "x")
    }
}
