// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// Owner, mode and file system of a file or directory of the daemon.
struct FileFacts: Equatable {
    /// Mode bits of group and others.
    static let others: mode_t = 0o077
    /// Below this much free space a file system counts as full: the smallest save would not fit.
    private static let leastBytes: UInt = 64 << 10

    var path: String
    var isDirectory: Bool
    /// Whether it is a socket. Its mode is not checked, because the directory's mode already restricts access.
    var isSocket = false
    var owner: UInt32
    /// The permission bits only.
    var mode: mode_t
    /// The mount point, if the file system is read-only.
    var readOnlyMount: String?
    /// The mount point, if the file system is full.
    var fullMount: String?
}

extension FileFacts {
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
        } else if system.f_bavail <= (Self.leastBytes - 1) / max(system.f_frsize, 1) {
            fullMount = Self.mount(of: path, facts.st_dev)
        }
    }

    /// A directory, then the daemon's files in it. Files of the user are left out.
    static func all(in directory: String) -> [FileFacts] {
        guard let facts = FileFacts(directory) else { return [] }
        return facts.isDirectory ? [facts] + names.compactMap { FileFacts("\(directory)/\($0)") } : [facts]
    }

    /// Names of the files that the daemon and relctl keep in their directories.
    private static let names = [
        "vault.rcv", "vault.rcv.prev", "vault.lock", "endpoints.json", "reachability.json", "anchor", "audit.jsonl",
        "audit.lock", "default-login", "relativityd.lock", "relativityd.sock", "adapters.sock",
        "adapters", "grants",
    ]

    /// The topmost parent directory of a path that is on the same device.
    private static func mount(of path: String, _ device: dev_t) -> String {
        var path = path
        while path.contains("/") {
            let above = UserPath.folder(of: path)
            var facts = stat()
            guard above != path, stat(above, &facts) == 0, facts.st_dev == device else { return path }
            path = above
        }
        return path
    }
}

/// The way in which this user can run a command as root.
enum RootAccess: Equatable {
    case sudo
    /// There is no sudo: the user is root, or becomes root by other means.
    case itself
    /// The process runs in a sandbox of this kind, which cannot change the machine.
    case outside(of: String)

    /// - Parameters:
    ///   - exists: whether a file exists.
    init(_ environment: Environment, exists: (String) -> Bool) {
        let path: [String] = (environment["PATH"] ?? "").split(separator: ":").map { String($0) }
        if exists("/.flatpak-info") {
            self = .outside(of: "flatpak")
        } else if environment["SNAP"] != nil {
            self = .outside(of: "snap")
        } else if environment["container"] != nil {
            // Set by systemd, podman, toolbox and others.
            self = .outside(of: "container")
        } else {
            self = (path + ["/usr/bin", "/usr/local/bin"]).contains { exists("\($0)/sudo") } ? .sudo : .itself
        }
    }

    static func gathered(_ environment: Environment) -> RootAccess {
        RootAccess(environment) { access($0, F_OK) == 0 }
    }

    /// The finding for this user: a command that needs sudo becomes advice if there is no sudo.
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

    /// The command without sudo.
    private static func withoutSudo(_ command: String) -> String {
        ["&& ", "| "].reduce(command.hasPrefix("sudo ") ? String(command.dropFirst(5)) : command) { text, joint in
            text.replacing("\(joint)sudo ", with: joint)
        }
    }
}

enum UserName {
    /// The name of a user from /etc/passwd. A name service could query the network.
    ///
    /// - Returns: the number if the file has no name for it.
    static func of(_ user: UInt32) -> String {
        let table = TextFile.read("/etc/passwd", maximumBytes: 1 << 20) ?? ""
        let line = table.split(separator: "\n").first { line in
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            return fields.count > 2 && fields[2] == "\(user)"
        }
        return line.map { String($0.prefix { $0 != ":" }) } ?? "\(user)"
    }
}
