// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
package import Platform

/// Prompts through a pinentry, the program that GnuPG uses to ask for passphrases. Each question starts the program
/// once.
package struct Pinentry: Prompter {
    /// The environment variables passed to a pinentry: those for its display and language.
    private static let variables = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "XDG_SESSION_TYPE",
        "XDG_CURRENT_DESKTOP", "HOME", "PATH", "TERM", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
    ]
    /// Time added to the deadline of the process, because a pinentry that times out on its own exits more cleanly
    /// than one that is killed.
    private static let margin = Duration.seconds(1)
    /// Time to exit after SIGINT.
    private static let farewell = Duration.milliseconds(300)

    let program: String
    private let environment: [String]
    private let options: [String]

    /// - Parameter program: a path.
    package init(_ program: String, _ environment: Environment) {
        self.program = program
        self.environment = Self.variables.compactMap { name in environment[name].map { "\(name)=\($0)" } }
        let characters = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"]
        options = [
            environment["GPG_TTY"].map { "ttyname=\($0)" },
            environment["GPG_TTY"].flatMap { _ in environment["TERM"] }.map { "ttytype=\($0)" },
            characters.map { "lc-ctype=\($0)" },
        ].compactMap { $0 }
    }

    package func answer(
        _ question: PromptQuestion,
        in arena: SecretArena,
        until end: ContinuousClock.Instant,
        stop: StopSignal
    ) throws(PromptError) -> Secret {
        let process: HelperProcess
        do {
            process = try HelperProcess(program, environment: environment, end: end + Self.margin, stop: stop)
        } catch {
            throw PromptError(error)
        }
        do throws(PromptError) {
            return try ask(question, by: PinentryTalk(process: process, arena: arena), until: end)
        } catch {
            // Gives the program time to restore its terminal.
            process.interrupt(within: Self.farewell)
            throw error
        }
    }

    private func ask(
        _ question: PromptQuestion,
        by talk: PinentryTalk,
        until end: ContinuousClock.Instant
    ) throws(PromptError) -> Secret {
        try talk.begin()
        for option in options { try talk.say("OPTION", option, isNeeded: false) }
        try talk.say("SETTIMEOUT", "\(max(1, (end - .now).components.seconds))", isNeeded: false)
        try talk.say("SETTITLE", "relativityd", isNeeded: false)
        let facts = question.lines.joined(separator: "\n")
        guard question.kind == .agreement else {
            try talk.say("SETDESC", facts)
            try talk.say("SETPROMPT", question.label + ":")
            if let remark = question.remark { try talk.say("SETERROR", remark) }
            return try talk.ask("GETPIN")
        }
        try talk.say("SETDESC", facts + "\n\n" + question.label + "?")
        return try talk.ask("CONFIRM")
    }
}

/// The dialogue with one pinentry process. All its lines are read into locked memory, because any of them may contain
/// a password.
struct PinentryTalk {
    /// The maximum number of lines in the answer to one command.
    private static let mostLines = 64

    let process: HelperProcess
    let arena: SecretArena

    /// Waits for the greeting of the pinentry.
    func begin() throws(PromptError) {
        guard try finished(Self.noData) == nil else { throw .failed(reason: "it does not start") }
    }

    /// Sends a command that returns no data.
    ///
    /// - Parameter isNeeded: if false, an error in response is ignored, because the pinentry may not know the
    ///   command.
    func say(_ name: String, _ text: String, isNeeded: Bool = true) throws(PromptError) {
        guard let line = AssuanText.command(name, text) else {
            throw .failed(reason: "the question is too long for it")
        }
        try send(line)
        if let code = try finished(Self.noData), isNeeded {
            throw .failed(reason: "it refuses \(name) with error \(code)")
        }
    }

    /// - Parameter command: `GETPIN` or `CONFIRM`.
    /// - Returns: the typed text.
    func ask(_ command: String) throws(PromptError) -> Secret {
        try send(Array("\(command)\n".utf8))
        var typed = try room(of: PromptLimits.answerBytes)
        var count = 0
        let code = try finished { line, start throws(PromptError) in
            let added = typed.withMutableBytes { room in
                AssuanText.decode(line[start...], into: UnsafeMutableRawBufferPointer(rebasing: room[count...]))
            }
            guard let added else { throw .failed(reason: "its answer is too long, or malformed") }
            count += added
        }
        switch code {
        case nil: break
        case AssuanLine.Code.cancelled, AssuanLine.Code.fullyCancelled, AssuanLine.Code.notConfirmed: throw .dismissed
        case AssuanLine.Code.timeout: throw .unanswered(.zero)
        case let code?: throw .failed(reason: "it answers with error \(code)")
        }
        typed.truncate(to: count)
        guard typed.withBytes({ !$0.contains(0) }) else { throw .failed(reason: "its answer holds a NUL") }
        return typed
    }

    /// Reads up to the line that ends an answer.
    ///
    /// - Parameter data: called for each line of data, with the offset at which the data begins.
    /// - Returns: the error code, or nil on success.
    private func finished(
        _ data: (UnsafeRawBufferPointer, Int) throws(PromptError) -> Void
    ) throws(PromptError) -> UInt16? {
        for _ in 0..<Self.mostLines {
            let line = try line()
            let kind = try line.withBytes { bytes throws(PromptError) in
                let kind = AssuanLine(bytes)
                if case .data(let start) = kind { try data(bytes, start) }
                return kind
            }
            switch kind {
            case .done: return nil
            case .refused(let code): return code
            case .remark, .data: continue
            case .unknown: throw Self.misfit
            }
        }
        throw .failed(reason: "its answer has no end")
    }

    private static let misfit = PromptError.failed(reason: "it does not speak the protocol of a pinentry")

    private static func noData(_: UnsafeRawBufferPointer, _: Int) throws(PromptError) { throw misfit }

    private func line() throws(PromptError) -> Secret {
        var line = try room(of: AssuanText.longestLine)
        var count = 0
        // Byte by byte: the bytes after the line end belong to the next line.
        while count < AssuanText.longestLine {
            let byte = try line.withMutableBytes { room throws(PromptError) in
                try receive(into: UnsafeMutableRawBufferPointer(rebasing: room[count..<(count + 1)]))
                return room[count]
            }
            guard byte != UInt8(ascii: "\n") else {
                line.truncate(to: count)
                return line
            }
            count += 1
        }
        throw .failed(reason: "it sends a line without an end")
    }

    private func room(of count: Int) throws(PromptError) -> Secret {
        do {
            return try Secret(capacity: count, in: arena) { $0.count }
        } catch {
            throw .failed(reason: "\(error)")
        }
    }

    private func send(_ line: [UInt8]) throws(PromptError) {
        do { try process.send(line) } catch { throw PromptError(error) }
    }

    private func receive(into room: UnsafeMutableRawBufferPointer) throws(PromptError) {
        do { try process.receive(into: room) } catch { throw PromptError(error) }
    }
}

extension PromptError {
    init(_ failure: HelperProcess.Failure) {
        switch failure {
        case .notStarted(let number):
            self = .noWay(reason: "the pinentry cannot be started: \(String(cString: strerror(number)))")
        case .closed: self = .failed(reason: "the pinentry has ended")
        case .late: self = .unanswered(.zero)
        case .stopped: self = .stopped
        case .local(let error): self = .failed(reason: "\(error)")
        }
    }
}

/// A line from a pinentry, without its line end (Assuan protocol, "Server responses"). Contains no text that the user
/// typed.
enum AssuanLine: Equatable {
    case done
    /// An error, with the code of libgpg-error without its error source.
    case refused(code: UInt16)
    /// Data that begins at this byte of the line.
    case data(from: Int)
    /// A comment or a status line.
    case remark
    /// A line that is not expected here.
    case unknown

    /// Error codes that report the user's decision.
    enum Code {
        static let timeout: UInt16 = 62
        static let cancelled: UInt16 = 99
        static let notConfirmed: UInt16 = 114
        static let fullyCancelled: UInt16 = 198
    }

    init(_ line: UnsafeRawBufferPointer) {
        let word = line.prefix { $0 != UInt8(ascii: " ") }
        switch word.count {
        case 0: self = line.isEmpty ? .remark : .unknown
        case 1 where word.first == UInt8(ascii: "D") && line.count > 1: self = .data(from: 2)
        case _ where word.first == UInt8(ascii: "#"), 1 where word.first == UInt8(ascii: "S"): self = .remark
        case _ where word.elementsEqual("OK".utf8): self = .done
        case _ where word.elementsEqual("ERR".utf8):
            let digits = line.dropFirst(4).prefix { $0 != UInt8(ascii: " ") }
            self = Self.number(digits).map { .refused(code: UInt16(truncatingIfNeeded: $0)) } ?? .unknown
        default: self = .unknown
        }
    }

    private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt32? {
        guard (1...10).contains(digits.count) else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + UInt64(digit & 15)
        }
        return UInt32(exactly: number)
    }
}

/// The percent escapes of the Assuan protocol.
enum AssuanText {
    /// The longest line that libassuan accepts, including the line end, in bytes.
    static let longestLine = 1_000

    /// Encodes a command with a text as its argument.
    ///
    /// - Returns: nil if the line would be too long.
    static func command(_ name: String, _ text: String) -> [UInt8]? {
        var line = Array(name.utf8) + [UInt8(ascii: " ")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "%"), 0..<0x20, 0x7F: line += escape(byte)
            // Some pinentries show text that contains tags as rich text, and our text is in part untrusted text from the
            // network.
            case UInt8(ascii: "<"): line += Array("\\u{3C}".utf8)
            default: line.append(byte)
            }
        }
        line.append(UInt8(ascii: "\n"))
        return line.count <= longestLine ? line : nil
    }

    /// Removes the escapes from a line of data.
    ///
    /// - Returns: the number of bytes written to `room`; nil for an invalid escape, or if `room` is too small.
    static func decode(_ bytes: Slice<UnsafeRawBufferPointer>, into room: UnsafeMutableRawBufferPointer) -> Int? {
        var count = 0
        var rest = bytes
        while let byte = rest.popFirst() {
            var plain = byte
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                plain = high << 4 | low
            }
            guard count < room.count else { return nil }
            room[count] = plain
            count += 1
        }
        return count
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x37
        case 0x61...0x66: character - 0x57
        default: nil
        }
    }
}
