// SPDX-License-Identifier: Apache-2.0

/// The names that a user may give to a server.
package enum EndpointName {
    private static let lengths = 1...63

    /// Whether `name` is 1 to 63 bytes of printable text that does not look like an option and does not begin or end
    /// with a space.
    package static func isValid(_ name: String) -> Bool {
        lengths.contains(name.utf8.count) && !name.hasPrefix("-") && !name.hasPrefix(" ") && !name.hasSuffix(" ")
            && Printable(name).description == name
    }
}
