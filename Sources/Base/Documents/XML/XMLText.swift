// SPDX-License-Identifier: Apache-2.0

/// Text for XML documents that are written.
package enum XMLText {
    /// Whether XML 1.0 can represent a character (section 2.2).
    package static func isPermitted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        default: scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
        }
    }

    /// Escapes characters that a parser would treat as markup or normalise to another character. Characters that are
    /// not permitted stay.
    ///
    /// - Parameter inAttribute: whether the text is for an attribute in double quotes.
    package static func escaped(_ text: String, inAttribute: Bool = false) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"" where inAttribute: result.append(contentsOf: "&quot;".unicodeScalars)
            case "\r": result.append(contentsOf: "&#13;".unicodeScalars)
            case "\n" where inAttribute, "\t" where inAttribute:
                result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
