// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where the daemon's socket is.
public enum SocketPath {
    /// Names another socket than the usual one, for example that of a daemon under test.
    public static let environmentVariable = "RELATIVITYD_SOCKET"

    /// The socket that clients use: `$RELATIVITYD_SOCKET`, else `$XDG_RUNTIME_DIR/relativityd/relativityd.sock`.
    ///
    /// Without `XDG_RUNTIME_DIR` the directory that logind would have made is assumed; never one under `/tmp`.
    public static func ofClient() -> String {
        ofClient(user: getuid()) { name in getenv(name).map { String(cString: $0) } }
    }

    /// The same as if the variable were not set.
    public static func usual() -> String {
        ofClient(user: getuid()) { name in
            name == environmentVariable ? nil : getenv(name).map { String(cString: $0) }
        }
    }

    /// - Parameter variable: looks up an environment variable; an empty one counts as none.
    static func ofClient(user: uid_t, variable: (String) -> String?) -> String {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let path = value(environmentVariable) { return path }
        let directory = value("XDG_RUNTIME_DIR") ?? "/run/user/\(user)"
        return "\(directory)/relativityd/relativityd.sock"
    }
}
