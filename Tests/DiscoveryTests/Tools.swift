// SPDX-License-Identifier: Apache-2.0

/// Programs that the tests run in addition to the products.
enum Tools {
    private static let root = "/" + "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")

    /// The Python of `scripts/python-env.sh`.
    static let python = root + "/.build/python/bin/python3"

    static func path(of name: String) -> String { "\(root)/Tests/Tools/\(name)" }
}
