// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform

/// What is said to one pinentry, and what it answers. Its lines are read into locked memory, since any may be a password.
struct PinentryTalk {
    /// Lines that one command may be answered by.
    private static let mostLines = 64

    let process: HelperProcess
    let arena: SecretArena

    /// Waits for the line that a pinentry begins with.
    func begin() throws(PromptError) {
        guard try finished(Self.noData) == nil else { throw .failed(reason: "it refuses to begin") }
    }

    /// - Parameter isNeeded: false where one that does not know the command is as good.
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
    /// - Returns: what was typed.
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

    /// Reads to the line that ends an answer.
    ///
    /// - Parameter data: gets the lines with data, each with where that begins.
    /// - Returns: the code of a refusal.
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
        // Byte by byte: what comes next is another line.
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
