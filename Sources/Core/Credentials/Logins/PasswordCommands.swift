// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Locks
package import Platform

/// Runs the commands that print the passwords of configured logins, one at a time.
package final class PasswordCommands: Sendable {
    /// After a failure, a command does not run again for this time, because a program may repeat its call immediately.
    private static let backoff = Duration.seconds(5)

    private let environment: Environment
    /// Held while a command runs. So two logins never open two prompts of a password manager.
    private let turn = Lock(())
    private let failures = Lock<[String: (failure: SecretCommand.Failure, end: ContinuousClock.Instant)]>([:])

    /// - Parameter environment: that of the daemon.
    package init(_ environment: Environment) { self.environment = environment }

    /// Runs a command on a thread of its own.
    ///
    /// - Parameter login: the name of the login, which selects its last failure.
    /// - Returns: the password in locked memory.
    /// - Throws: `CredentialError.passwordCommandFailed`.
    func run(_ command: SecretCommand, for login: String) async throws -> SharedSecret {
        if let recent = failures.withLock({ $0[login] }), recent.end > .now {
            throw CredentialError.passwordCommandFailed(login, recent.failure)
        }
        let stop = try StopSignal()
        let result: Result<SharedSecret, SecretCommand.Failure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let status = BackgroundThread.start { [self] in
                    continuation.resume(returning: turn.withLock { _ in self.result(of: command, stop) })
                }
                if status != 0 { continuation.resume(returning: .failure(.notStarted(errno: status))) }
            }
        } onCancel: {
            stop.give()
        }
        switch result {
        case .success(let secret): return secret
        case .failure(.stopped): throw CancellationError()
        case .failure(let failure):
            failures.withLock { $0[login] = (failure, .now + Self.backoff) }
            throw CredentialError.passwordCommandFailed(login, failure)
        }
    }

    private func result(of command: SecretCommand, _ stop: StopSignal) -> Result<SharedSecret, SecretCommand.Failure> {
        do throws(SecretCommand.Failure) {
            let arena: SecretArena
            do throws(PlatformError) {
                arena = try SecretArena(byteCount: SecretCommand.maximumBytes + 1)
            } catch {
                throw .local(error)
            }
            return .success(SharedSecret(try command.run(environment, in: arena, stop: stop)))
        } catch {
            return .failure(error)
        }
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
