// SPDX-License-Identifier: Apache-2.0

import Glibc
import LocalAPI
import Platform

extension DoctorFacts.DaemonPlace {
    static func gathered(_ daemon: DoctorFacts.Daemon, _ environment: Environment) -> Self {
        let path = SocketPath.ofClient()
        var place = Self(path: path)
        place.file = FileFacts(path)
        let usual = SocketPath.usual()
        if usual != path { place.usual = (usual, DoctorFacts.listener(on: usual) == .listens) }
        switch daemon {
        case .answers, .failed: break
        case .silent: place.stopped = stoppedListener(on: path)
        case .unreachable:
            let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            place.isClaimed = isLocked(directory + "/relativityd.lock")
            place.refusal = .found(environment)
        }
        return place
    }

    /// The process that made the socket, if that is a relativityd which a signal has stopped. Of a socket that systemd
    /// made this is systemd.
    private static func stoppedListener(on path: String) -> Int32? {
        var listener: Int32?
        _ = LocalSocket.connect(to: path) { listener = $0.peer }
        guard let listener, let stat = TextFile.read("/proc/\(listener)/stat", maximumBytes: 4_096) else { return nil }
        // PID (NAME) STATE: the name may hold anything.
        guard let end = stat.lastIndex(of: ")"), stat[..<end].hasSuffix("(relativityd") else { return nil }
        return stat[end...].dropFirst(2).first == "T" ? listener : nil
    }

    /// Whether another process holds the lock on a file; asks without taking it.
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
    private static let ofMachine = "/etc/relativityd/relativityd.toml"
    private static let prefix = "relativityd: error: "
    /// What the daemon's program exits with where the configuration is not valid.
    private static let notValid: Int32 = 78

    /// Asks the daemon's program whether it would start.
    static func found(_ environment: Environment) -> Self? {
        let program = HelperProgram.path(beside: "relativityd")
        guard let output = ProgramOutput([program, "--check"], withinMilliseconds: 2_000),
            let line = output.text.split(separator: "\n").last, line.hasPrefix(prefix)
        else { return nil }
        var refusal = Self(reason: String(line.dropFirst(prefix.count)))
        guard output.status == notValid else { return refusal }
        let ofUser = (try? Directories(environment)).map { $0.configuration + "/relativityd.toml" }
        refusal.file = [ofUser, ofMachine].compactMap { $0 }.first { access($0, F_OK) == 0 }
        refusal.isOfMachine = refusal.file == ofMachine
        return refusal
    }
}
