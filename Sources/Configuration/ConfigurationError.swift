// SPDX-License-Identifier: Apache-2.0

/// The reason why a configuration file was rejected.
package enum ConfigurationError: Error, Hashable, CustomStringConvertible {
    case tooLarge(limit: Int)
    case unreadable(reason: String)
    /// The text is not TOML.
    case syntax(String)
    case unknownKey(String)
    /// The value of a known key is invalid or missing.
    ///
    /// - Parameter found: the value, safe to print; nil if it must not be shown or is missing.
    case invalid(key: String, expected: String, found: String? = nil)

    package var description: String {
        switch self {
        case .tooLarge(let limit): "the file is larger than \(limit) bytes"
        case .unreadable(let reason): "the file cannot be read: \(reason)"
        case .syntax(let reason): "the file is no TOML: \(reason)"
        case .unknownKey(let key): "there is no key '\(key)': see relativityd.toml(5), and relativityd(8) for servers"
        case .invalid(let key, let expected, let found):
            "'\(key)' must be \(expected)" + (found.map { ", not \($0)" } ?? "")
        }
    }
}
