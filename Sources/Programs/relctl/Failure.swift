// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform
import Varlink

/// The failure of a command: a message, a hint, and the exit status.
struct Failure: Error {
    let status: ExitStatus
    let message: String
    /// The next step. For wrong usage it defaults to the help of the command.
    let hint: Hint?

    init(_ status: ExitStatus, _ message: String, hint: Hint? = nil) {
        self.status = status
        self.message = message
        self.hint = hint ?? (status == .usage ? .helpOfVerb : nil)
    }

    /// Replaces this process by a program, whose exit status and signals are then those of relctl.
    ///
    /// - Parameters:
    ///   - name: the program in the message.
    ///   - ignoresPipes: whether the program gets EPIPE for a closed pipe instead of a signal.
    /// - Returns: only if this fails.
    static func becoming(_ arguments: [String], _ name: String, ignoresPipes: Bool = false) -> Failure {
        var words = arguments.map { strdup($0) } + [nil]
        if !ignoresPipes { signal(SIGPIPE, SIG_DFL) }
        execvp(arguments[0], &words)
        return Failure(.failed, "cannot run \(name): \(String(cString: strerror(errno)))")
    }

    /// Prints the error on standard error and exits.
    static func report(_ error: any Error) -> Never {
        guard let failure = Failure(error) else {
            // Help and version are no failures: they are printed on standard output.
            let text = Relctl.fullMessage(for: error)
            if !text.isEmpty { Terminal.write(text + "\n") }
            exit(ExitStatus.done.rawValue)
        }
        Terminal.writeError(failure.text)
        exit(failure.status.rawValue)
    }

    /// The complete lines for standard error. Untrusted parts should already be safe; this escapes them again in any
    /// case.
    var text: String {
        "relctl: error: \(PrintableText(message).text)\n" + (hint?.line ?? "")
    }

    /// - Returns: nil if the error is not a failure, such as a request for help.
    init?(_ error: any Error) {
        switch error {
        case let failure as Failure:
            self = failure
        case let error as DaemonError:
            self.init(ExitStatus(error.code), error.message, hint: error.hint)
        case let error as VarlinkClientError:
            self.init(error)
        case let error as VarlinkError where error.name == ServiceError.Code.invalidParameter.rawValue:
            self.init(.usage, "invalid parameter: \(Printable(error.parameters.text))")
        case let error as VarlinkError:
            self.init(.failed, "the daemon refused the call: \(Printable("\(error)"))", hint: "relctl version")
        case let error as JSONShapeError:
            self.init(.failed, "the daemon's reply does not fit this version: \(error)", hint: "relctl version")
        case let error as ServerURLError:
            self.init(.usage, "\(error)")
        case let error as PlatformError:
            self.init(Self.status(of: error), "\(error)", hint: error.hint)
        default:
            let code = Relctl.exitCode(for: error)
            guard !code.isSuccess else { return nil }
            self.init(.usage, Relctl.message(for: error), hint: Self.help(for: error))
        }
    }

    /// The command that prints the help of the parsed command.
    private static func help(for error: any Error) -> Hint {
        // One that was thrown after the arguments were parsed does not name its command.
        if error is ValidationError { return .helpOfVerb }
        let usage = Relctl.fullMessage(for: error).split(separator: "\n").last {
            $0.contains("relctl") && $0.contains("--help")
        }
        guard let start = usage?.firstRange(of: "relctl"), let end = usage?.firstRange(of: "--help") else {
            return .helpOfVerb
        }
        return Hint(command: String(usage?[start.lowerBound..<end.upperBound] ?? ""))
    }

    /// Wrong usage for an invalid secret, and not found for a file.
    private static func status(of error: PlatformError) -> ExitStatus {
        switch error {
        case .secretTooLong, .secretHasNUL, .secretMissing, .notARecoveryCode, .notRegular, .relativeHome: .usage
        case .system(_, let subject, ENOENT) where !subject.isEmpty: .notFound
        default: .failed
        }
    }

    /// The command that starts the daemon: by the user's systemd if it runs.
    private static var start: Hint {
        UserManager.isRunning ? "systemctl --user start relativityd.socket" : "relativityd &"
    }

    private init(_ error: VarlinkClientError) {
        switch error {
        case .noService(let path, let errno) where errno == ENOENT || errno == ECONNREFUSED:
            self.init(
                .noDaemon,
                "relativityd is not running: no process listens on \(Printable(path))",
                hint: Self.start
            )
        case .noService(let path, let errno):
            self.init(
                .noDaemon,
                "\(Printable(path)) cannot be reached: \(String(cString: strerror(errno)))",
                hint: "relctl doctor"
            )
        case .untrusted(let path, let reason):
            self.init(.noDaemon, "refusing to send a secret to \(Printable(path)): \(reason)", hint: "relctl doctor")
        case .deadlinePassed:
            self.init(
                .deadlinePassed,
                "relativityd did not answer in time",
                hint: "systemctl --user status relativityd"
            )
        default:
            self.init(.failed, "the connection to relativityd was lost: \(error)", hint: "relctl journal")
        }
    }
}
