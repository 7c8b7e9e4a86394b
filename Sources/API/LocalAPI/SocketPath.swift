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

/// Whose socket a client has connected to. A secret goes to a daemon of the same user or of root alone, in a directory
/// where nobody else can put another socket in its place.
enum SocketTrust {
    /// The directory of a socket.
    struct Directory: Hashable {
        let owner: uid_t
        let mode: mode_t

        /// - Returns: nil if there is no directory at this path.
        init?(of socket: String) {
            let parts = socket.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            let path = socket.contains("/") ? parts.joined(separator: "/") + "/" : "."
            var facts = stat()
            guard stat(path, &facts) == 0 else { return nil }
            (owner, mode) = (facts.st_uid, facts.st_mode)
        }

        init(owner: uid_t, mode: mode_t) {
            self.owner = owner
            self.mode = mode
        }
    }

    /// Why no secret may go there; nil if it may.
    ///
    /// - Parameter peer: who listens; nil if the kernel does not say.
    static func fault(peer: uid_t?, directory: Directory?, own: uid_t) -> String? {
        guard let peer else { return "the kernel does not say who listens there" }
        guard peer == own || peer == 0 else { return "user \(peer) listens there" }
        guard let directory else { return "its directory is gone" }
        guard directory.owner == own || directory.owner == 0 else {
            return "its directory belongs to user \(directory.owner)"
        }
        return directory.mode & 0o022 == 0 ? nil : "other users can write to its directory"
    }
}
