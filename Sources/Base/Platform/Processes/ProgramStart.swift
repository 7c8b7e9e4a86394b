// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// How to start a program: the only use of posix_spawn(3).
///
/// The program starts with no signal blocked, because threads of this process block signals, and a program inherits
/// the mask.
package struct ProgramStart {
    /// What becomes a standard descriptor of the program.
    package enum Stream {
        /// That of this process.
        case same
        case descriptor(Int32)
        /// A file that is opened with these flags, and with mode 0600 if it is created.
        case file(String, flags: Int32)

        /// /dev/null.
        package static var null: Stream { .file("/dev/null", flags: O_RDWR) }
    }

    /// The descriptors from 3 upwards that the program gets.
    package enum Others {
        /// None. Libraries open some that are not close-on-exec, such as SwiftNIO the sockets of clients.
        case none
        /// Those that this process was started with, such as the pipes of a shell's process substitution. Only for a
        /// process that opens all of its own close-on-exec.
        case inherited
    }

    /// The system did not start the program.
    package struct Failure: Error, Hashable {
        /// The number of the error.
        package let errno: Int32
    }

    private let path: String
    private let arguments: [String]
    /// Whether a path without a slash is searched for in PATH.
    package var searchesPath = false
    /// The complete environment, as `NAME=value`; nil for that of this process.
    package var environment: [String]?
    /// Standard input.
    package var input = Stream.same
    /// Standard output.
    package var output = Stream.same
    /// Standard error.
    package var errors = Stream.same
    /// The other descriptors.
    package var others = Others.none
    /// Signals that get their default action, even if this process ignores them; nil for all.
    package var restored: [Int32]?
    /// Whether the program gets its own process group, which the terminal's keys do not reach.
    package var hasOwnGroup = false
    /// Whether the program ends when the thread that starts it ends. The program must call `ParentProcess.follow`.
    package var endsWithParent = false

    /// - Parameters:
    ///   - path: the path of the program.
    ///   - arguments: its arguments; nil for the path alone. The first is the name that it sees.
    package init(_ path: String, arguments: [String]? = nil) {
        self.path = path
        self.arguments = arguments ?? [path]
    }

    /// Starts the program.
    ///
    /// - Returns: its process ID. The caller waits for it.
    package func start() throws(Failure) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (stream, target) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
            switch stream {
            case .same: break
            case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, target)
            case .file(let path, let flags): posix_spawn_file_actions_addopen(&actions, target, path, flags, 0o600)
            }
        }
        if case .none = others { relx_close_from(&actions, STDERR_FILENO + 1) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        setAttributes(&attributes)

        let words = arguments.map { strdup($0) } + [nil]
        let variables = variables
        defer { for text in words + (variables ?? []) { free(text) } }
        let spawn = searchesPath ? posix_spawnp : posix_spawn
        var pid = pid_t()
        let status =
            variables?.withUnsafeBufferPointer { spawn(&pid, path, &actions, &attributes, words, $0.baseAddress) }
            ?? spawn(&pid, path, &actions, &attributes, words, environ)
        guard status == 0 else { throw Failure(errno: status) }
        return pid
    }

    /// The environment, which the caller frees; nil for that of this process.
    private var variables: [UnsafeMutablePointer<CChar>?]? {
        guard environment != nil || endsWithParent else { return nil }
        var entries = environment?.map { strdup($0) } ?? []
        if environment == nil {
            var entry = environ
            while let text = entry.pointee {
                entries.append(strdup(text))
                entry += 1
            }
        }
        if endsWithParent { entries.append(strdup(ParentProcess.entry)) }
        return entries + [nil]
    }

    private func setAttributes(_ attributes: inout posix_spawnattr_t) {
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        if let restored {
            for signal in restored { sigaddset(&signals, signal) }
        } else {
            sigfillset(&signals)
        }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
    }
}
