// SPDX-License-Identifier: Apache-2.0

/// What a person may call a server.
package enum EndpointName {
    private static let lengths = 1...63

    /// 1 to 63 bytes of printable text that is not taken for an option or padded with spaces.
    package static func isValid(_ name: String) -> Bool {
        lengths.contains(name.utf8.count) && !name.hasPrefix("-") && !name.hasPrefix(" ") && !name.hasSuffix(" ")
            && Printable(name).description == name
    }
}
