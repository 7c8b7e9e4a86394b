// SPDX-License-Identifier: Apache-2.0

import Glibc
import LocalAPI
import Platform
import Varlink

extension DoctorFacts.DaemonPlace {
    static func gathered(_ daemon: DoctorFacts.Daemon, _ environment: Environment) -> Self {
        let path = SocketPath.ofClient()
        var place = Self(path: path)
        place.file = FileFacts(path)
        let usual = SocketPath.usual()
        if usual != path { place.usual = (usual, DoctorFacts.listener(on: usual) == .listens) }
        switch daemon {
        case .answers: break
        // With socket activation, the service manager listens for a daemon that does not start.
        case .failed: place.refusal = .found(environment)
        case .silent: place.stopped = stoppedListener(on: path)
        case .unreachable:
            place.isClaimed = isLocked(UserPath.folder(of: path) + "/relativityd.lock")
            place.refusal = .found(environment)
        }
        return place
    }

    /// The process that created the socket, if it is a relativityd that a signal has stopped. For a socket of systemd,
    /// the process is systemd, and this returns nil.
    private static func stoppedListener(on path: String) -> Int32? {
        var listener: Int32?
        _ = LocalSocket.connect(to: path) { listener = $0.peer }
        guard let listener, let stat = TextFile.read("/proc/\(listener)/stat", maximumBytes: 4_096) else { return nil }
        // PID (NAME) STATE: the name may contain parentheses.
        guard let end = stat.lastIndex(of: ")"), stat[..<end].hasSuffix("(relativityd") else { return nil }
        return stat[end...].dropFirst(2).first == "T" ? listener : nil
    }

    /// Whether another process holds the lock on a file. Does not acquire it.
    private static func isLocked(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }
}

extension DoctorFacts.Refusal {
    private static let prefix = "relativityd: error: "
    /// The exit status of relativityd if the configuration is invalid.
    private static let notValid: Int32 = 78

    /// Runs `relativityd --check`.
    static func found(_ environment: Environment) -> Self? {
        let program = HelperProgram.path(beside: "relativityd")
        guard let output = ProgramOutput([program, "--check"], withinMilliseconds: 2_000) else { return nil }
        let reasons = output.text.split(separator: "\n").filter { $0.hasPrefix(prefix) }.map {
            $0.dropFirst(prefix.count)
        }
        guard !reasons.isEmpty else { return nil }
        var refusal = Self(reason: reasons.joined(separator: "; "))
        guard output.status == notValid else { return refusal }
        // The error begins with FILE:LINE, unless the value is that of a variable.
        let file = refusal.reason.split(separator: ":").first.map(String.init)
        refusal.file = file.flatMap { $0.hasPrefix("/") && access($0, F_OK) == 0 ? $0 : nil }
        let ofUser = (try? Directories(environment))?.configuration
        refusal.isOfMachine = refusal.file != nil && ofUser.map { refusal.file?.hasPrefix($0) != true } ?? true
        return refusal
    }
}

/// A connection to a Unix socket, made to find out whether a process listens.
struct LocalSocket: ~Copyable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Connects, calls `body`, and closes the connection.
    ///
    /// - Returns: 0, or the errno of the failure. Does not block.
    static func connect(to path: String, _ body: (borrowing LocalSocket) -> Void = { _ in }) -> Int32 {
        let descriptor = socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue),
            0
        )
        guard descriptor >= 0 else { return errno }
        let connection = LocalSocket(descriptor)
        guard let address = Varlink.UnixAddress(path) else { return ENAMETOOLONG }
        // EAGAIN: the backlog is full, so a process listens but does not accept.
        guard address.connect(descriptor) == 0 || errno == EAGAIN else { return errno }
        body(connection)
        return 0
    }

    /// The process that listens on the socket; nil if unknown.
    var peer: Int32? {
        // The kernel's struct ucred, which Swift's Glibc module does not export: pid, uid and gid.
        var credentials: [Int32] = [0, 0, 0]
        var length = socklen_t(credentials.count * MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, credentials[0] > 0 else {
            return nil
        }
        return credentials[0]
    }

    /// Whether the peer replies to a text within the timeout.
    borrowing func answers(_ text: String, withinMilliseconds patience: Int32) -> Bool {
        let bytes = Array(text.utf8)
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return false }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, patience) > 0 else { return false }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) == 1
    }
}
