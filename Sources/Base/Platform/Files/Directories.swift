// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The directories of all programs of the project (XDG Base Directory Specification 0.8). Relative paths are ignored, as
/// the specification requires, except that of `RELATIVITYD_HOME`, which is an error.
///
/// `RELATIVITYD_HOME` replaces the variables of the specification by one directory with a part for each of them, so that
/// a sandbox can have directories of its own while other programs in it use those of the user.
package struct Directories: Sendable, Hashable {
    /// The variable that names one directory for everything.
    package static let variable = "RELATIVITYD_HOME"

    /// `$XDG_CONFIG_HOME/relativityd`
    package let configuration: String
    /// `$XDG_DATA_HOME/relativityd`, which contains the vault.
    package let data: String
    /// `$XDG_STATE_HOME/relativityd`, which contains the registry's state and the audit log.
    package let state: String
    /// `$XDG_DATA_HOME/relativity-sample-server`, which contains the sample server's databases.
    package let sampleServer: String
    private let runtimeBase: String?

    private static let name = "relativityd"

    /// Checks that `RELATIVITYD_HOME`, if it is set, is an absolute path. Programs that used different directories would miss
    /// each other.
    ///
    /// - Throws: `PlatformError.relativeHome`
    package static func checkHome(_ environment: Environment) throws(PlatformError) {
        guard let path = environment[variable], !path.hasPrefix("/") else { return }
        throw .relativeHome(path: path)
    }

    /// - Throws: `PlatformError.noHome` if neither a directory's own variable nor `HOME` is an absolute path;
    ///   `.relativeHome`
    package init(_ environment: Environment) throws(PlatformError) {
        try Self.checkHome(environment)
        let own = Self.absolute(environment[Self.variable])
        func base(_ variable: String, _ fallback: String, _ part: String) throws(PlatformError) -> String {
            if let own { return own + "/" + part }
            if let path = Self.absolute(environment[variable]) { return path }
            guard let home = Self.absolute(environment["HOME"]) else { throw .noHome }
            return home + "/" + fallback
        }
        let dataBase = try base("XDG_DATA_HOME", ".local/share", "data")
        configuration = try base("XDG_CONFIG_HOME", ".config", "config") + "/" + Self.name
        data = dataBase + "/" + Self.name
        state = try base("XDG_STATE_HOME", ".local/state", "state") + "/" + Self.name
        sampleServer = dataBase + "/relativity-sample-server"
        runtimeBase = own ?? Self.absolute(environment["XDG_RUNTIME_DIR"])
    }

    /// Returns the directory of kept tables, next to a state directory. It is not in it, because the sandboxes of programs
    /// that read kept tables hide the daemon's state.
    package static func keptTables(nextTo state: String) -> String { state + "-kept" }

    /// Returns `$XDG_RUNTIME_DIR/relativityd`, which contains the sockets. There is no fallback, because a guessed
    /// directory could be another user's.
    ///
    /// - Throws: `PlatformError.noRuntimeDirectory`, `.runtimeDirectoryTooLong`
    package func runtime() throws(PlatformError) -> String {
        guard let runtimeBase else { throw .noRuntimeDirectory }
        let path = runtimeBase + "/" + Self.name
        guard path.utf8.count <= Self.longestRuntime else {
            throw .runtimeDirectoryTooLong(path: path, bytes: path.utf8.count, maximumBytes: Self.longestRuntime)
        }
        return path
    }

    /// The greatest length of a runtime directory in bytes, so that the path of each socket in it fits into an address
    /// (unix(7)). Those of grants are the longest.
    private static let longestRuntime = 107 - "/grants/01234567/adapter.sock".utf8.count

    fileprivate static func absolute(_ path: String?) -> String? {
        guard var path, path.hasPrefix("/") else { return nil }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path == "/" ? "" : path
    }
}

/// Temporary files, and directories that their user removes.
package enum TemporaryFiles {
    /// Their directory, from the environment of the process: `Environment.temporaryDirectory`.
    package static let directory = Environment.ofProcess().temporaryDirectory

    /// Creates a file without a name, which disappears with its descriptor. The descriptor is close-on-exec and belongs to the
    /// caller.
    ///
    /// - Throws: `PlatformError.system`.
    package static func unnamed(in parent: String = directory) throws(PlatformError) -> Int32 {
        let (descriptor, path) = try named(in: parent)
        unlink(path)
        return descriptor
    }

    /// Creates a new file.
    ///
    /// - Throws: `PlatformError.system`.
    package static func named(
        in parent: String,
        mode: UInt32 = 0o600
    ) throws(PlatformError) -> (descriptor: Int32, path: String) {
        let path = try newPath(in: parent)
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .system(call: "open", subject: parent, errno: errno) }
        return (descriptor, path)
    }

    /// Returns a random path.
    ///
    /// - Throws: `PlatformError.system`.
    static func newPath(in parent: String) throws(PlatformError) -> String {
        "\(parent)/relativityd-\(HexText.encode(try SystemRandom().bytes(16))).tmp"
    }

    /// Creates a new directory of mode 0700. So it is safe in `/tmp` too: it fails if another user was there first.
    ///
    /// - Parameter prefix: the beginning of its name.
    /// - Throws: `PlatformError.system`.
    package static func newDirectory(_ prefix: String, in parent: String) throws(PlatformError) -> String {
        var template = Array("\(parent)/\(prefix).XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .system(call: "mkdtemp", subject: parent, errno: errno) }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// The parent directory of the directory of the daemon's socket: `XDG_RUNTIME_DIR`.
///
/// A user who can write to it can replace that directory, and so the socket.
package enum RuntimeBase {
    /// Checks the owner and the mode of the directory.
    ///
    /// - Throws: `PlatformError.unsafePermissions` if another user owns it, or if other users can write to it;
    ///   `.system` if it does not exist.
    package static func check(_ path: String) throws(PlatformError) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw .system(call: "stat", subject: path, errno: errno) }
        guard let reason = fault(owner: facts.st_uid, mode: facts.st_mode, ours: geteuid()) else { return }
        throw .unsafePermissions(
            path: path,
            reason: reason,
            fix: facts.st_uid == geteuid()
                ? Repair.close(path, mode: "700") : "export XDG_RUNTIME_DIR=/run/user/\(geteuid())"
        )
    }

    /// Returns the fault of a directory with this owner and mode; nil if there is none. Root may own it, because root
    /// can do anything anyway.
    static func fault(owner: uid_t, mode: mode_t, ours: uid_t) -> String? {
        guard owner == ours || owner == 0 else { return "belongs to user \(owner)" }
        return mode & 0o022 == 0 ? nil : "can be written by other users"
    }
}

/// Environment variables, read once, so that code below `main` can be tested without a change of the process.
package struct Environment: Sendable {
    private let values: [String: String]

    /// An environment with these variables.
    package init(_ values: [String: String]) {
        self.values = values
    }

    /// The value of a variable; nil if it is not set, or set to the empty string.
    package subscript(name: String) -> String? {
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }

    /// The directory for temporary files: `TMPDIR` if it is an absolute path, otherwise `/tmp`.
    package var temporaryDirectory: String { Directories.absolute(self["TMPDIR"]) ?? "/tmp" }

    /// The directory for temporary files that only the user shall reach: `XDG_RUNTIME_DIR` if it is an absolute path,
    /// otherwise `temporaryDirectory`.
    package var privateTemporaryDirectory: String {
        Directories.absolute(self["XDG_RUNTIME_DIR"]) ?? temporaryDirectory
    }

    /// Returns the sorted names of the variables that begin with a prefix and are not empty.
    package func names(withPrefix prefix: String) -> [String] {
        values.keys.filter { $0.hasPrefix(prefix) && self[$0] != nil }.sorted()
    }

    /// Returns the environment that the process was started with. Call it in `main` before any thread exists.
    package static func ofProcess() -> Environment {
        var values: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, values[String(pair[0])] == nil { values[String(pair[0])] = String(pair[1]) }
            entry += 1
        }
        return Environment(values)
    }
}
