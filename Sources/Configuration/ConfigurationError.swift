// SPDX-License-Identifier: Apache-2.0

/// Why a configuration file was refused.
package enum ConfigurationError: Error, Hashable, CustomStringConvertible {
    case tooLarge(limit: Int)
    case unreadable(reason: String)
    /// The text is no TOML.
    case syntax(String)
    case unknownKey(String)
    /// A known key without a value that it can have.
    ///
    /// - Parameter found: what it has, safe to show; nil where that is not to be shown, or there is nothing.
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
