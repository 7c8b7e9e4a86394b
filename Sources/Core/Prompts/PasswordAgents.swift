// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
package import Platform

/// Prompts through systemd's password agents, which watch a directory for files with questions.
package struct PasswordAgents: Prompter {
    let directory: String

    /// - Parameter directory: a directory that agents may be watching.
    package init(directory: String) {
        self.directory = directory
    }

    /// Returns the directory that an agent of the user watches or, for a daemon that runs as root, an agent of the
    /// system. An agent creates its directory, so nil means that no agent is running: no directory exists that this
    /// user owns and can write to.
    package static func watched(_ runtimeDirectory: String?, system: String = "/run") -> PasswordAgents? {
        let places = [runtimeDirectory, geteuid() == 0 ? system : nil].compactMap { $0 }
        let directories = places.map { $0 + "/systemd/ask-password" }
        return directories.first(where: isOurs).map { PasswordAgents(directory: $0) }
    }

    private static func isOurs(_ directory: String) -> Bool {
        var facts = stat()
        guard lstat(directory, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return false }
        return facts.st_uid == geteuid() && facts.st_mode & 0o022 == 0 && access(directory, W_OK) == 0
    }

    package func answer(
        _ question: PromptQuestion,
        in arena: SecretArena,
        until end: ContinuousClock.Instant,
        stop: StopSignal
    ) throws(PromptError) -> Secret {
        let posted = try PostedQuestion(question, in: directory, until: end)
        switch try posted.socket.answer(in: arena, until: end, stop: stop) {
        case .dismissed: throw .dismissed
        case .typed(let typed):
            guard question.kind == .agreement else { return typed }
            guard typed.withBytes({ $0.elementsEqual(AgentQuestion.agreement.utf8) }) else { throw .dismissed }
            return typed
        }
    }
}

/// A question that agents see while this value exists, and the socket for their answer.
struct PostedQuestion: ~Copyable {
    let socket: AgentSocket
    private let file: AgentFile

    init(
        _ question: PromptQuestion,
        in directory: String,
        until end: ContinuousClock.Instant
    ) throws(PromptError) {
        do {
            let suffix = HexText.encode(try SystemRandom().bytes(8))
            let socket = try AgentSocket(in: directory, suffix: suffix)
            let asked = AgentQuestion(
                question: question,
                pid: getpid(),
                socket: socket.path,
                notAfter: Self.monotonic(at: end)
            )
            self.file = try AgentFile(asked.text, in: directory, suffix: suffix)
            self.socket = socket
        } catch {
            throw .noWay(reason: "\(error)")
        }
    }

    /// Converts to microseconds of CLOCK_MONOTONIC, the clock that agents read.
    private static func monotonic(at end: ContinuousClock.Instant) -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let left = (end - .now).components
        return (Int64(now.tv_sec) + left.seconds) * 1_000_000
            + Int64(now.tv_nsec) / 1_000 + left.attoseconds / 1_000_000_000_000
    }
}

/// The file that describes a question for password agents (systemd's Password Agents specification, "Implementing
/// Queriers").
struct AgentQuestion {
    let question: PromptQuestion
    let pid: Int32
    let socket: String
    /// Expiry in microseconds of CLOCK_MONOTONIC.
    let notAfter: Int64

    /// The text that the user types to approve, because an agent can only ask for text.
    static let agreement = "yes"

    var text: String {
        """
        [Ask]
        PID=\(pid)
        Socket=\(socket)
        AcceptCached=0
        Echo=\(question.kind == .secret ? 0 : 1)
        NotAfter=\(notAfter)
        Icon=dialog-password
        Id=relativityd
        Message=\(message)

        """
    }

    /// The whole question in one line: agents show only one.
    private var message: String {
        let ask =
            switch question.kind {
            case .secret, .text: question.label + ":"
            case .agreement: "\(question.label)? Type \(Self.agreement) to agree:"
            }
        let facts = ([question.remark].compactMap { $0 } + question.lines).joined(separator: "; ")
        return "relativityd: \(facts). \(ask)"
    }
}

/// A file that agents see complete or not at all. It is deleted with this value.
struct AgentFile: ~Copyable {
    private let path: String

    /// - Parameter suffix: the part of the file's name after `ask.`.
    init(_ text: String, in directory: String, suffix: String) throws(PlatformError) {
        path = "\(directory)/ask.\(suffix)"
        // Agents ignore names that do not begin with "ask.".
        let draft = "\(directory)/tmp.\(suffix)"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(call: "open", subject: draft, errno: errno) }
        let bytes = Array(text.utf8)
        let isWritten = write(descriptor, bytes, bytes.count) == bytes.count
        close(descriptor)
        guard isWritten, rename(draft, path) == 0 else {
            let code = errno
            unlink(draft)
            throw .system(call: "write", subject: draft, errno: code)
        }
    }

    deinit {
        unlink(path)
    }
}

/// The socket to which agents send the answer. It is deleted with this value.
struct AgentSocket: ~Copyable {
    enum Answer: ~Copyable {
        case typed(Secret)
        case dismissed
    }

    let path: String
    private let descriptor: Int32
    private static let longestPath = 107

    init(in directory: String, suffix: String) throws(PlatformError) {
        let path = "\(directory)/sck.\(suffix)"
        guard let address = UnixAddress(path: path) else {
            throw .tooLarge(subject: path, maximumBytes: Self.longestPath)
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(call: "socket", subject: path, errno: errno) }
        do throws(PlatformError) {
            try Self.bind(descriptor, to: address, path)
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    private static func bind(
        _ descriptor: Int32,
        to address: UnixAddress,
        _ path: String
    ) throws(PlatformError) {
        let told = relx_tell_senders(descriptor)
        guard told == 0 else { throw .system(call: "setsockopt", subject: path, errno: -told) }
        // bind(2) creates the file with the mode of the socket: there is no moment in which others can connect.
        fchmod(descriptor, 0o600)
        let status = address.withSockaddr { Glibc.bind(descriptor, $0, $1) }
        guard status == 0 else { throw .system(call: "bind", subject: path, errno: errno) }
    }

    /// Waits for the answer of an agent that runs as root or as our own user. Datagrams of other senders are ignored.
    func answer(
        in arena: SecretArena,
        until end: ContinuousClock.Instant,
        stop: StopSignal
    ) throws(PromptError) -> Answer {
        while true {
            switch StopSignal.wait(for: POLLIN, of: descriptor, or: stop, until: end) {
            case .stopped: throw .stopped
            case .late: throw .unanswered(.zero)
            case .ready: break
            }
            var kind: UInt8?
            let typed: Secret
            do {
                typed = try Secret(capacity: PromptLimits.answerBytes + 2, in: arena) { room in
                    let count = receive(into: room)
                    kind = count > 0 ? room[0] : nil
                    return count > 0 ? Self.removeFraming(room, count) : 0
                }
            } catch {
                throw .failed(reason: "\(error)")
            }
            switch kind {
            case UInt8(ascii: "+"): return .typed(typed)
            case UInt8(ascii: "-"): return .dismissed
            default: continue
            }
        }
    }

    /// - Returns: the length of a datagram from an accepted sender; otherwise 0.
    private func receive(into room: UnsafeMutableRawBufferPointer) -> Int {
        var sender = uid_t.max
        let count = relx_receive_from(descriptor, room.baseAddress, room.count, &sender)
        // The mode of the socket already excludes other users, but not in every namespace that root may set up.
        guard count > 0, sender == 0 || sender == geteuid() else { return 0 }
        return count
    }

    /// Moves the typed text to the start of the buffer. It follows one byte for the kind of answer, and ends at the
    /// first NUL.
    private static func removeFraming(_ room: UnsafeMutableRawBufferPointer, _ count: Int) -> Int {
        let typed = room[1..<count].prefix { $0 != 0 }
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: typed))
        return typed.count
    }
}
