// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The path of the daemon's socket.
public enum SocketPath {
    /// The variable that overrides the usual path, for example with the socket of a daemon under test.
    public static let environmentVariable = "RELATIVITYD_SOCKET"

    /// The socket that clients use: `$RELATIVITYD_SOCKET`, else `$XDG_RUNTIME_DIR/relativityd/relativityd.sock`.
    ///
    /// Without `XDG_RUNTIME_DIR`, it is in the directory that logind would make for the user, never under `/tmp`.
    public static func ofClient() -> String {
        ofClient(user: getuid()) { name in getenv(name).map { String(cString: $0) } }
    }

    /// The path that clients use if `RELATIVITYD_SOCKET` is not set.
    public static func usual() -> String {
        ofClient(user: getuid()) { name in
            name == environmentVariable ? nil : getenv(name).map { String(cString: $0) }
        }
    }

    /// The daemon's second socket: `$XDG_RUNTIME_DIR/relativityd/adapters.sock`.
    public static func ofAdapters() -> String { inUsualDirectory("adapters.sock") }

    /// The socket of the helper for data: `$XDG_RUNTIME_DIR/relativityd/data.sock`.
    public static func ofData() -> String { inUsualDirectory("data.sock") }

    private static func inUsualDirectory(_ name: String) -> String {
        let usual = usual()
        return usual.prefix(through: usual.lastIndex(of: "/") ?? usual.startIndex) + name
    }

    /// Determines the path.
    ///
    /// - Parameter variable: looks up an environment variable. An empty one counts as not set.
    static func ofClient(user: uid_t, variable: (String) -> String?) -> String {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let path = value(environmentVariable) { return path }
        let directory = value("XDG_RUNTIME_DIR") ?? "/run/user/\(user)"
        return "\(directory)/relativityd/relativityd.sock"
    }
}

/// The owner of the socket that a client has connected to. A secret is sent only to a daemon of the same user or of
/// root, in a directory where no other user can replace the socket.
enum SocketTrust {
    /// The facts about the directory of a socket.
    struct Directory: Hashable {
        let owner: uid_t
        let mode: mode_t

        /// Reads the facts.
        ///
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

    /// The reason why no secret may be sent; nil if it may.
    ///
    /// - Parameter peer: the user of the listening process; nil if the kernel does not report it.
    static func fault(peer: uid_t?, directory: Directory?, own: uid_t) -> String? {
        guard let peer else { return "the process that listens there is unknown" }
        guard peer == own || peer == 0 else { return "user \(peer) listens there" }
        guard let directory else { return "its directory is gone" }
        guard directory.owner == own || directory.owner == 0 else {
            return "its directory belongs to user \(directory.owner)"
        }
        return directory.mode & 0o022 == 0 ? nil : "other users can write to its directory"
    }
}
