// SPDX-License-Identifier: Apache-2.0

/// The daemon's directories (XDG Base Directory Specification 0.8). Relative values are ignored, as it requires.
package struct Directories: Sendable, Hashable {
    /// `$XDG_CONFIG_HOME/relativityd`
    package let configuration: String
    /// `$XDG_DATA_HOME/relativityd`, which has the vault.
    package let data: String
    /// `$XDG_STATE_HOME/relativityd`, which has the registry's state and the audit log.
    package let state: String
    private let runtimeBase: String?

    private static let name = "relativityd"

    /// - Throws: `PlatformError.noHome` if neither a directory's own variable nor `HOME` is an absolute path.
    package init(_ environment: Environment) throws(PlatformError) {
        func base(_ variable: String, _ fallback: String) throws(PlatformError) -> String {
            if let path = Self.absolute(environment[variable]) { return path }
            guard let home = Self.absolute(environment["HOME"]) else { throw .noHome }
            return home + "/" + fallback
        }
        configuration = try base("XDG_CONFIG_HOME", ".config") + "/" + Self.name
        data = try base("XDG_DATA_HOME", ".local/share") + "/" + Self.name
        state = try base("XDG_STATE_HOME", ".local/state") + "/" + Self.name
        runtimeBase = Self.absolute(environment["XDG_RUNTIME_DIR"])
    }

    /// `$XDG_RUNTIME_DIR/relativityd`, which has the socket. There is no fallback: a guessed directory could be
    /// another user's.
    ///
    /// - Throws: `PlatformError.noRuntimeDirectory`
    package func runtime() throws(PlatformError) -> String {
        guard let runtimeBase else { throw .noRuntimeDirectory }
        return runtimeBase + "/" + Self.name
    }

    private static func absolute(_ path: String?) -> String? {
        guard var path, path.hasPrefix("/") else { return nil }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path == "/" ? "" : path
    }
}
