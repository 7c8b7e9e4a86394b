// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import LocalAPI
import Platform
import Varlink

/// Runs a program with an adapter of its own.
enum AdapterProgram {
    /// Opens an adapter, runs a program with it, and exits with the program's exit status.
    ///
    /// - Parameter report: called with the adapter before the program starts.
    /// - Throws: an error if the adapter cannot be opened; otherwise does not return.
    static func run(
        _ program: [String],
        _ call: BrokerAPI.OpenCall,
        _ report: (BrokerAPI.Adapter) -> Void = { _ in }
    ) throws {
        var status = ExitStatus.failed.rawValue
        // The adapter lives as long as this connection, which closes when this process exits or is killed.
        try DaemonClient().stream(call, firstWithin: DaemonClient.interactive) { reply in
            report(reply.adapter)
            do {
                let variables = AdapterVariables(of: reply.adapter).all
                status = try RunningProgram(program, variables: variables).waitForEnd()
            } catch let error as ProgramNotStarted {
                error.report()
            }
            return .stop
        }
        exit(status)
    }
}

/// The environment variables with the address of an adapter.
struct AdapterVariables {
    /// Names of the variables. `RELATIVITYD_SOCKET` is a different one: the socket of the daemon.
    enum Name: String, CaseIterable {
        case url = "RELATIVITYD_URL"
        case socket = "RELATIVITYD_ADAPTER_SOCKET"
        case domain = "RELATIVITYD_DOMAIN"
        case schema = "RELATIVITYD_SCHEMA"
        case dataService = "RELATIVITYD_DATA_SERVICE"
        case loginService = "RELATIVITYD_LOGIN_SERVICE"
    }

    /// All variables. One without a value is empty, so that a value inherited from the environment is replaced.
    let all: [(name: String, value: String)]

    init(of adapter: BrokerAPI.Adapter) {
        all = Name.allCases.map { name in
            let value =
                switch name {
                case .url: adapter.url
                case .socket: adapter.socketPath
                case .domain: adapter.domain
                case .schema: adapter.schema
                case .dataService: adapter.dataService
                case .loginService: adapter.loginService
                }
            return (name.rawValue, value ?? "")
        }
    }

    /// Lines that set and export the variables in a POSIX shell.
    var shellText: String {
        // `ShellWord` may write `$'...'`, which a POSIX shell does not read.
        all.map { "export \($0.name)='\($0.value.replacing("'", with: #"'\''"#))'\n" }.joined()
    }
}

/// The state of a child process.
enum ChildState: Hashable {
    /// The same as before.
    case unchanged
    /// Stopped by this signal.
    case stopped(Int32)
    /// The exit status.
    case exited(Int32)
    /// Ended by this signal.
    case killed(Int32)
    /// The process has ended and its status is lost.
    case reaped

    /// Asks for a change of the state without waiting. Each change is returned once.
    init(of pid: pid_t) {
        var status: Int32 = 0
        let changed = waitpid(pid, &status, WNOHANG | WUNTRACED)
        guard changed == pid else {
            self = changed < 0 && errno == ECHILD ? .reaped : .unchanged
            return
        }
        // As the macros WIFSTOPPED and WTERMSIG do.
        let rest = (status >> 8) & 0xFF
        switch status & 0x7F {
        case 0: self = .exited(rest)
        case 0x7F: self = .stopped(rest)
        case let signal: self = .killed(signal)
        }
    }
}

/// The system did not start a program.
struct ProgramNotStarted: Error {
    let name: String
    let errno: Int32

    /// The exit status that shells use: 127 if the program does not exist, 126 if it cannot be run.
    var exitStatus: Int32 { errno == ENOENT ? 127 : 126 }

    /// Prints the error and exits.
    func report() -> Never {
        let reason = String(cString: strerror(errno))
        Terminal.writeError("relctl: error: cannot run '\(Printable(name))': \(reason)\n")
        exit(exitStatus)
    }
}
