// SPDX-License-Identifier: Apache-2.0

/// Where the sources of this package are.
enum Sources {
    static let root = "/" + "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")

    /// The Python of `scripts/python-env.sh`.
    static let python = root + "/.build/python/bin/python3"
}
