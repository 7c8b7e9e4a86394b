// SPDX-License-Identifier: Apache-2.0

/// Where the sources of this package are.
package enum Sources {
    package static let root = "/" + "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")

    /// The Python of `scripts/python-env.sh`.
    package static let python = root + "/.build/python/bin/python3"
}
