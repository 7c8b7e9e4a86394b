// SPDX-License-Identifier: Apache-2.0

/// The location of this package's sources.
package enum Sources {
    package static let root = "/" + "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")

    /// The Python of `scripts/python-env.sh`.
    package static let python = root + "/.build/python/bin/python3"
}
