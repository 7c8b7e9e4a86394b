// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// The place where a value of the configuration is set.
package struct ConfigurationOrigin: Sendable, Hashable {
    /// A layer of the configuration. Later ones win.
    package enum Layer: String, Sendable, Hashable, CaseIterable {
        /// The defaults of the program.
        case builtIn
        /// Files of the package, in `/usr/lib/relativityd`.
        case vendor
        /// Files in `/etc/relativityd`.
        case administrator
        /// Files in the user's configuration directory.
        case user
        /// The file that `--config` names. It replaces the files of vendor, administrator and user.
        case named
        /// Variables such as `RELATIVITYD_VAULT_IDLE_LOCK`.
        case environment
        /// `--set`.
        case option
    }

    package var layer: Layer
    /// The path of the file.
    package var file: String?
    /// The line in the file, from 1.
    package var line: Int?
    /// The name of the environment variable.
    package var variable: String?

    package init(_ layer: Layer, file: String? = nil, line: Int? = nil, variable: String? = nil) {
        self.layer = layer
        self.file = file
        self.line = line
        self.variable = variable
    }

    func at(line: Int?) -> Self {
        var origin = self
        origin.line = line
        return origin
    }
}

/// For errors: `FILE:LINE`, the name of a variable, or `--set`. Empty if nothing is known.
extension ConfigurationOrigin: CustomStringConvertible {
    package var description: String {
        if let file { return "\(Printable(file))" + (line.map { ":\($0)" } ?? "") }
        if let variable { return "\(Printable(variable))" }
        if let line { return "line \(line)" }
        return layer == .option ? "--set" : ""
    }
}

/// The reason why a file or a value of the configuration was rejected.
package struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        case tooLarge(limit: Int)
        case tooManyFiles(limit: Int)
        case unreadable(reason: String)
        /// The text is not TOML. The column counts from 1.
        case syntax(column: Int, reason: String)
        /// - Parameters:
        ///   - key: the key with its tables, safe to print.
        ///   - nearest: the known key that is meant, if one is similar or has this name in another table.
        case unknownKey(_ key: String, nearest: String? = nil)
        /// The value of a known key is invalid or missing.
        ///
        /// - Parameter found: the value, safe to print; nil if it must not be shown or is missing.
        case invalid(key: String, expected: String, found: String? = nil)
    }

    package var reason: Reason
    /// The place of the value; nil if unknown.
    package var origin: ConfigurationOrigin?

    init(_ reason: Reason, at origin: ConfigurationOrigin? = nil) {
        self.reason = reason
        self.origin = origin
    }

    package var description: String {
        let place = origin.map { "\($0)" } ?? ""
        return place.isEmpty ? "\(reason)" : "\(place): \(reason)"
    }
}

extension ConfigurationError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLarge(let limit): "the file is larger than \(limit) bytes"
        case .tooManyFiles(let limit): "the configuration has more than \(limit) files"
        case .unreadable(let reason): "the file cannot be read: \(reason)"
        case .syntax(let column, let reason): "the file is not valid TOML at column \(column): \(reason)"
        case .unknownKey(let key, let nearest?): "there is no key '\(key)'; the nearest one is '\(nearest)'"
        case .unknownKey(let key, nil):
            "there is no key '\(key)': see relativityd.toml(5), and relativityd(8) for servers"
        case .invalid(let key, let expected, let found):
            "'\(key)' must be \(expected)" + (found.map { ", not \($0)" } ?? "")
        }
    }
}

/// The errors of a configuration, 1 to `limit` of them.
package struct ConfigurationErrors: Error, Hashable {
    static let limit = 20

    package let errors: [ConfigurationError]

    init?(_ errors: [ConfigurationError]) {
        guard !errors.isEmpty else { return nil }
        self.errors = Array(errors.prefix(Self.limit))
    }

    init(_ error: ConfigurationError) { errors = [error] }
}
