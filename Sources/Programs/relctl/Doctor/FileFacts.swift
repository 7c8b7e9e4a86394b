// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

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

/// How what only root may do is done by the user of this process.
enum RootAccess: Equatable {
    case sudo
    /// There is no sudo: the user is root, or becomes it in another way.
    case itself
    /// Inside of a sandbox, which has no say about the machine: what it is.
    case outside(of: String)

    /// - Parameters:
    ///   - exists: whether there is such a file.
    init(_ environment: Environment, exists: (String) -> Bool) {
        let path: [String] = (environment["PATH"] ?? "").split(separator: ":").map { String($0) }
        if exists("/.flatpak-info") {
            self = .outside(of: "flatpak")
        } else if environment["SNAP"] != nil {
            self = .outside(of: "snap")
        } else if environment["container"] != nil {
            // As systemd, podman, toolbox and others say it to what they run.
            self = .outside(of: "container")
        } else {
            self = (path + ["/usr/bin", "/usr/local/bin"]).contains { exists("\($0)/sudo") } ? .sudo : .itself
        }
    }

    static func gathered(_ environment: Environment) -> RootAccess {
        RootAccess(environment) { access($0, F_OK) == 0 }
    }

    /// The same finding for this user: what sudo is needed for is no command where there is none.
    func adapted(_ finding: Finding) -> Finding {
        guard self != .sudo, case .command(let command)? = finding.remedy else { return finding }
        let plain = Self.withoutSudo(command)
        guard plain != command else { return finding }
        var finding = finding
        switch self {
        case .sudo: break
        case .itself: finding.remedy = geteuid() == 0 ? .command(plain) : .advice("as root: \(plain)")
        case .outside(let kind): finding.remedy = .advice("outside of this \(kind), as root of the machine: \(plain)")
        }
        return finding
    }

    /// The steps of a command as root types them.
    private static func withoutSudo(_ command: String) -> String {
        ["&& ", "| "].reduce(command.hasPrefix("sudo ") ? String(command.dropFirst(5)) : command) { text, joint in
            text.replacing("\(joint)sudo ", with: joint)
        }
    }
}

enum UserName {
    /// From the file alone: a name service could ask the network.
    ///
    /// - Returns: the number where the file has no name.
    static func of(_ user: UInt32) -> String {
        let table = TextFile.read("/etc/passwd", maximumBytes: 1 << 20) ?? ""
        let line = table.split(separator: "\n").first { line in
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            return fields.count > 2 && fields[2] == "\(user)"
        }
        return line.map { String($0.prefix { $0 != ":" }) } ?? "\(user)"
    }
}
