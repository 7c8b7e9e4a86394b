// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A program that a test runs to its end.
package struct Command: Sendable {
    package struct Output: Sendable {
        /// The exit code, or the negative number of the signal that ended it.
        package let status: Int32
        package let standardOutput: String
        package let standardError: String
    }

    package enum Failure: Error, CustomStringConvertible {
        case deadline([String], Output)
        case status([String], Output)

        package var description: String {
            switch self {
            case .deadline(let arguments, let output): "\(arguments) did not end in time: \(output)"
            case .status(let arguments, let output): "\(arguments) failed: \(output)"
            }
        }
    }

    package var arguments: [String]
    /// Variables that are added to those of the test.
    package var environment: [String: String]

    package init(_ arguments: [String], environment: [String: String] = [:]) {
        self.arguments = arguments
        self.environment = environment
    }

    /// Runs the program with `input`, and collects its output.
    ///
    /// - Throws: `Failure.deadline` after killing the program. An exit status other than 0 is not an error.
    package func run(input: String = "", deadline: Duration = .seconds(30)) async throws -> Output {
        try await BlockingWork.run { try self.runBlocking(input: input, deadline: deadline) }
    }

    /// Like `run`, for programs that are expected to succeed.
    ///
    /// - Returns: its standard output.
    @discardableResult
    package func succeed(input: String = "", deadline: Duration = .seconds(30)) async throws -> String {
        let output = try await run(input: input, deadline: deadline)
        guard output.status == 0 else { throw Failure.status(arguments, output) }
        return output.standardOutput
    }

    private func runBlocking(input: String, deadline: Duration) throws -> Output {
        let child = try ChildProcess(arguments, environment: environment)
        child.write(input)
        child.closeInput()
        let end = ContinuousClock.now + deadline
        var collected: (output: [UInt8], errors: [UInt8]) = ([], [])
        var isOpen = (output: true, errors: true)
        var isLate = false
        while isOpen.output || isOpen.errors {
            isLate = ContinuousClock.now >= end
            if isLate { break }
            let ready = child.awaitOutput(milliseconds: 50)
            if ready.output, isOpen.output {
                let piece = child.readOutput()
                collected.output += piece
                isOpen.output = !piece.isEmpty
            }
            if ready.errors, isOpen.errors {
                let piece = child.readErrors()
                collected.errors += piece
                isOpen.errors = !piece.isEmpty
            }
        }
        if isLate { child.signal(SIGKILL) }
        let output = Output(
            status: child.wait(),
            standardOutput: String(decoding: collected.output, as: UTF8.self),
            standardError: String(decoding: collected.errors, as: UTF8.self)
        )
        if isLate { throw Failure.deadline(arguments, output) }
        return output
    }
}
