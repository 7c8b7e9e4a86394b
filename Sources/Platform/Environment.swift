// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Environment variables, read once, so that code below `main` can be tested without changing the process.
package struct Environment: Sendable {
    private let values: [String: String]

    /// An environment with these variables.
    package init(_ values: [String: String]) {
        self.values = values
    }

    /// The value of a variable; nil if it is not set, or set to the empty string.
    package subscript(name: String) -> String? {
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }

    /// The environment that the process was started with. Call in `main` before any thread exists.
    package static func ofProcess() -> Environment {
        var values: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, values[String(pair[0])] == nil { values[String(pair[0])] = String(pair[1]) }
            entry += 1
        }
        return Environment(values)
    }
}
