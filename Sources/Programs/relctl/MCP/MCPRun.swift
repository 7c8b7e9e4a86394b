// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

/// A call of an MCP client that runs, as a command of relctl in a process of its own. It ends when this process ends.
struct MCPRun {
    private static let longestError = 64 << 10

    let call: MCPCall
    let id: JSONValue
    /// A descriptor with the command's output.
    let output: Int32
    private let errors: Int32
    private let pid: pid_t
    private var bytes: [UInt8] = []

    /// Starts the command.
    ///
    /// - Throws: `PlatformError.system`
    init(_ call: MCPCall, _ id: JSONValue) throws(PlatformError) {
        (self.call, self.id) = (call, id)
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .system(call: "socketpair", subject: "", errno: errno)
        }
        defer { close(ends[1]) }
        output = ends[0]
        do throws(PlatformError) {
            errors = try TemporaryFiles.unnamed()
        } catch {
            close(ends[0])
            throw error
        }
        var program = ProgramStart("/proc/self/exe", arguments: ["relctl"] + call.words)
        (program.input, program.output, program.errors) = (.null, .descriptor(ends[1]), .descriptor(errors))
        program.hasOwnGroup = true
        program.endsWithParent = true
        do throws(ProgramStart.Failure) {
            pid = try program.start()
        } catch {
            close(output)
            close(errors)
            throw .system(call: "posix_spawn", subject: "relctl", errno: error.errno)
        }
    }

    /// Ends the command without an answer. This value cannot be used afterwards.
    func cancel() {
        kill(-pid, SIGTERM)
        _ = end()
    }

    /// Reads output that has come.
    ///
    /// - Returns: the answer if the command has ended. This value cannot be used afterwards. Nil if it still runs.
    mutating func read() -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(output, &piece, piece.count)
        if count < 0, errno == EINTR { return nil }
        guard count <= 0 else {
            bytes += piece[..<count]
            guard bytes.count > MCPSession.longestResult else { return nil }
            cancel()
            let limit = Counted(MCPSession.longestResult, "byte")
            return MCPSession.failure(
                id,
                "the result is longer than \(limit): ask for fewer rows or fields",
                status: nil
            )
        }
        let (status, text) = end()
        if status == EXIT_SUCCESS { return MCPSession.answer(id, output: bytes) }
        if status == ExitStatus.notFound.rawValue, let nothing = call.nothing {
            return MCPSession.answer(id, output: Array(nothing.text.utf8))
        }
        return MCPSession.failure(id, MCPSession.plain(text), status: status)
    }

    /// Waits for the end of the command.
    ///
    /// - Returns: its exit status, and what it printed on standard error. A server's exception may be longer than this: its
    ///   beginning is enough.
    private func end() -> (status: Int32, errors: String) {
        close(output)
        var (status, found): (Int32, pid_t) = (0, 0)
        repeat { found = waitpid(pid, &status, 0) } while found < 0 && errno == EINTR
        // A status that is not known is no success.
        if found < 0 { status = 1 << 8 }
        var text = [UInt8](repeating: 0, count: Self.longestError)
        let count = max(0, pread(errors, &text, text.count, 0))
        close(errors)
        return (
            status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F,
            String(decoding: text[..<count], as: UTF8.self)
        )
    }
}
