// SPDX-License-Identifier: Apache-2.0

/// Refuses what the TOML library would not refuse: it stops reading at a NUL, and a debug build of it aborts on a table
/// header that does not begin with a name.
enum TOMLPrecheck {
    static func check(_ text: String) throws(ConfigurationError) {
        var line = 1
        /// Opening brackets of a header so far; nil once the line has anything else.
        var brackets: Int? = 0
        for scalar in text.unicodeScalars {
            guard scalar.value != 0 else { throw .syntax("line \(line): a NUL is no text") }
            let isNewline = scalar.properties.isWhitespace && !isBlank(scalar)
            if let open = brackets {
                if scalar == "[", open < 2 {
                    brackets = open + 1
                } else if !isBlank(scalar), !(isNewline && open == 0) {
                    guard open == 0 || beginsName(scalar) else { throw .syntax("line \(line): a table has no name") }
                    brackets = nil
                }
            }
            if isNewline { brackets = 0 }
            if scalar == "\n" { line += 1 }
        }
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\t" || scalar == "\u{FEFF}" || scalar.properties.generalCategory == .spaceSeparator
    }

    private static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789_-\"'".unicodeScalars.contains(scalar))
    }
}
