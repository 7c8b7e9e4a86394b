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
        if let path = value(environmentVariable) { return path }
        let directory = value("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
        return "\(directory)/relativityd/relativityd.sock"
    }

    private static func value(_ name: String) -> String? {
        guard let pointer = getenv(name), pointer.pointee != 0 else { return nil }
        return String(cString: pointer)
    }
}
