// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The paths of the sockets that clients use.
public enum SocketPath {
    /// The variable that names the daemon's socket, for example that of a daemon under test. The other sockets are
    /// searched for in the same directory.
    public static let environmentVariable = "RELATIVITYD_SOCKET"
    /// The variable that names the socket of the helper for data.
    public static let dataVariable = "RELATIVITYD_DATA_SOCKET"

    /// The socket that clients use: `$RELATIVITYD_SOCKET`, else `relativityd/relativityd.sock` in `$RELATIVITYD_HOME` or
    /// `$XDG_RUNTIME_DIR`.
    ///
    /// Without these variables, it is in the directory that logind would make for the user, never under `/tmp`.
    public static func ofClient() -> String { Places.ofProcess.client }

    /// The path that clients use if `RELATIVITYD_SOCKET` is not set.
    public static func usual() -> String { Places.ofProcess.usual }

    /// The daemon's second socket, `adapters.sock` next to the first.
    public static func ofAdapters() -> String { Places.ofProcess.adapters }

    /// The socket of the helper for data: `$RELATIVITYD_DATA_SOCKET`, else `data.sock` next to the daemon's.
    public static func ofData() -> String { Places.ofProcess.data }

    /// The paths that follow from environment variables. An empty one counts as not set.
    struct Places: Hashable {
        let client: String
        let usual: String
        let adapters: String
        let data: String

        static var ofProcess: Self { Self(user: getuid()) { name in getenv(name).map { String(cString: $0) } } }

        /// - Parameter variable: looks up an environment variable.
        init(user: uid_t, variable: (String) -> String?) {
            func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
            let base = value("RELATIVITYD_HOME") ?? value("XDG_RUNTIME_DIR") ?? "/run/user/\(user)"
            usual = "\(base)/relativityd/relativityd.sock"
            let client = value(environmentVariable) ?? usual
            let directory = client.lastIndex(of: "/").map { client[...$0] } ?? ""
            self.client = client
            adapters = directory + "adapters.sock"
            data = value(dataVariable) ?? directory + "data.sock"
        }
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
