// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Locks
package import Platform

/// Runs the commands that print the passwords of logins, one at a time.
package final class PasswordCommands: Sendable {
    private let environment: Environment
    /// Held while a command runs. So two logins never open two prompts of a password manager.
    private let turn = Lock(())
    private let failures = Lock(CommandFailures())

    /// - Parameter environment: that of the daemon.
    package init(_ environment: Environment) { self.environment = environment }

    /// Runs a command on a thread of its own.
    ///
    /// - Parameter name: that of the login, for the error.
    /// - Returns: the password in locked memory.
    /// - Throws: `CredentialError.passwordCommandFailed`.
    func run(_ command: SecretCommand, for login: LoginID, named name: String) async throws -> SharedSecret {
        let stop = try StopSignal()
        let result: Result<SharedSecret, Failed> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let status = BackgroundThread.start { [self] in
                    continuation.resume(returning: turn.withLock { _ in self.result(of: command, login, stop) })
                }
                if status != 0 { continuation.resume(returning: .failure(Failed(.notStarted(errno: status)))) }
            }
        } onCancel: {
            stop.give()
        }
        switch result {
        case .success(let secret): return secret
        case .failure(let failed) where failed.failure == .stopped: throw CancellationError()
        case .failure(let failed):
            throw CredentialError.passwordCommandFailed(name, failed.failure, isEarlier: failed.isEarlier)
        }
    }

    private struct Failed: Error {
        let failure: SecretCommand.Failure
        /// Whether the command was not run, because it has just failed.
        let isEarlier: Bool

        init(_ failure: SecretCommand.Failure, isEarlier: Bool = false) {
            (self.failure, self.isEarlier) = (failure, isEarlier)
        }
    }

    private func result(
        of command: SecretCommand,
        _ login: LoginID,
        _ stop: StopSignal
    ) -> Result<SharedSecret, Failed> {
        // Checked only now: the caller that had the previous turn may have run the same command.
        if let recent = failures.withLock({ $0.recent(command, of: login, at: .now) }) {
            return .failure(Failed(recent, isEarlier: true))
        }
        do throws(SecretCommand.Failure) {
            let arena: SecretArena
            do throws(PlatformError) {
                arena = try SecretArena(byteCount: SecretCommand.maximumBytes + 1)
            } catch {
                throw .local(error)
            }
            return .success(SharedSecret(try command.run(environment, in: arena, stop: stop)))
        } catch {
            if error != .stopped { failures.withLock { $0.note(error, of: command, login, at: .now) } }
            return .failure(Failed(error))
        }
    }
}

/// The last failures of password commands. A program may repeat its call immediately, and each run of a command can
/// show a prompt of a password manager.
struct CommandFailures {
    typealias Instant = ContinuousClock.Instant

    /// After a failure, the command does not run again for this time.
    static let pause = Duration.seconds(5)

    private struct Subject: Hashable {
        let login: LoginID
        /// A login with another command is another subject, because the user has just corrected it.
        let command: SecretCommand
    }

    private var failures: [Subject: (failure: SecretCommand.Failure, end: Instant)] = [:]

    /// The failure because of which the command does not run now; nil if it may run.
    func recent(_ command: SecretCommand, of login: LoginID, at now: Instant) -> SecretCommand.Failure? {
        failures[Subject(login: login, command: command)].flatMap { now < $0.end ? $0.failure : nil }
    }

    mutating func note(_ failure: SecretCommand.Failure, of command: SecretCommand, _ login: LoginID, at now: Instant) {
        failures = failures.filter { now < $0.value.end }
        failures[Subject(login: login, command: command)] = (failure, now + Self.pause)
    }
}

extension SecretCommand.Failure {
    /// The end of a sentence about the command. The text of the program is escaped and bounded.
    var text: String {
        switch self {
        case .notFound: "was not found in \(SecretCommand.searchPath.joined(separator: ", "))"
        case .notStarted(let errno): "could not be started: \(String(cString: strerror(errno)))"
        case .exited(let status, let message):
            "exited with status \(status)"
                + (Self.firstLine(message).map { ": \(Printable($0, columns: 200))" } ?? "")
        case .killed(let signal): "was ended by signal \(signal)"
        case .late: "did not end within \(Counted(SecretCommand.timeout.components.seconds, "second"))"
        case .stopped: "was stopped"
        case .tooLong: "printed more than \(SecretCommand.maximumBytes) bytes"
        case .empty: "printed no password"
        case .hasNUL: "printed a NUL byte"
        case .local(let error): "could not be read: \(error)"
        }
    }

    private static func firstLine(_ message: String) -> Substring? {
        message.split(whereSeparator: \.isNewline).first
    }
}
