// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file or directory of the daemon's, as it is on the disk.
struct FileFacts: Equatable {
    /// Bits of the mode that let others than the owner in.
    static let others: mode_t = 0o077
    /// A file system with less is full: the smallest save would not fit.
    private static let leastBytes: UInt64 = 64 << 10

    var path: String
    var isDirectory: Bool
    /// Its mode says who may connect, and the directory around it who comes so far.
    var isSocket = false
    var owner: UInt32
    /// The permissions alone.
    var mode: mode_t
    /// Where its file system is mounted, if nothing can be written there.
    var readOnlyMount: String?
    /// Where its file system is mounted, if no room is left.
    var fullMount: String?

    init(path: String, isDirectory: Bool, owner: UInt32, mode: mode_t) {
        self.path = path
        self.isDirectory = isDirectory
        self.owner = owner
        self.mode = mode
    }

    /// - Returns: nil where nothing is there. A link counts as what it is.
    init?(_ path: String) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return nil }
        self.init(
            path: path,
            isDirectory: facts.st_mode & S_IFMT == S_IFDIR,
            owner: facts.st_uid,
            mode: facts.st_mode & 0o7777
        )
        isSocket = facts.st_mode & S_IFMT == S_IFSOCK
        var system = statvfs()
        guard isDirectory, statvfs(path, &system) == 0 else { return }
        if system.f_flag & UInt(ST_RDONLY) != 0 {
            readOnlyMount = Self.mount(of: path, facts.st_dev)
        } else if UInt64(system.f_bavail) * UInt64(system.f_frsize) < Self.leastBytes {
            fullMount = Self.mount(of: path, facts.st_dev)
        }
    }

    /// A directory and what of the daemon's is in it, the directory first. People may keep other files there.
    static func all(in directory: String) -> [FileFacts] {
        guard let facts = FileFacts(directory) else { return [] }
        return facts.isDirectory ? [facts] + names.compactMap { FileFacts("\(directory)/\($0)") } : [facts]
    }

    /// What the daemon and relctl keep in their directories.
    private static let names = [
        "vault.rcv", "vault.rcv.prev", "vault.lock", "endpoints.json", "reachability.json", "anchor", "audit.jsonl",
        "audit.lock", "default-login", "relativityd.lock", "relativityd.sock", "adapters", "grants",
    ]

    /// The topmost directory on the way to a path that is still on the same device.
    private static func mount(of path: String, _ device: dev_t) -> String {
        var path = path
        while let slash = path.lastIndex(of: "/") {
            let above = slash == path.startIndex ? "/" : String(path[..<slash])
            var facts = stat()
            guard above != path, stat(above, &facts) == 0, facts.st_dev == device else { return path }
            path = above
        }
        return path
    }
}
