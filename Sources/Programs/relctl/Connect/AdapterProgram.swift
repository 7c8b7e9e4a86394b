// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import LocalAPI
import Platform
import Varlink

/// A program that runs with an adapter of its own.
enum AdapterProgram {
    /// Opens an adapter, runs a program with it, and exits as the program does.
    ///
    /// - Returns: never, unless the adapter was not opened, which throws.
    static func run(_ program: [String], _ call: BrokerAPI.OpenCall) throws {
        var status = ExitStatus.failed.rawValue
        // The adapter lives as long as the connection, which ends with this process, however that ends.
        try DaemonClient().stream(call, firstWithin: DaemonClient.ofPerson) { reply in
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

/// The environment variables that lead a program to its adapter.
struct AdapterVariables {
    /// Their names. RELATIVITYD_SOCKET is the socket of the daemon.
    enum Name: String, CaseIterable {
        case url = "RELATIVITYD_URL"
        case socket = "RELATIVITYD_ADAPTER_SOCKET"
        case domain = "RELATIVITYD_DOMAIN"
        case schema = "RELATIVITYD_SCHEMA"
        case dataService = "RELATIVITYD_DATA_SERVICE"
        case loginService = "RELATIVITYD_LOGIN_SERVICE"
    }

    /// Every name, with an empty value if the adapter has none: an older value must not stay.
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

/// A program that relctl has started and stands in for: signals are passed on, and its end is relctl's end.
struct RunningProgram {
    /// What a person or a service manager sends to end or steer a program.
    private static let passedOn = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCONT, SIGWINCH]

    private let pid: pid_t

    /// Starts a program that is found as a shell does; it inherits everything, with these variables more.
    ///
    /// - Throws: `ProgramNotStarted`
    init(_ arguments: [String], variables: [(name: String, value: String)]) throws {
        // Who has started relctl may ignore it: then ends of programs are not told, and nothing is left to be waited for.
        signal(SIGCHLD, SIG_DFL)
        Self.holdSignals()

        // relctl itself ignores the one, and is not to pass on that somebody ignored the other.
        let attributes = SpawnAttributes(restoring: [SIGPIPE, SIGCHLD])
        let words = arguments.map { strdup($0) } + [nil]
        defer { for text in words { free(text) } }
        for (name, value) in variables { setenv(name, value, 1) }
        var pid = pid_t()
        let status = attributes.withPointer { posix_spawnp(&pid, arguments[0], nil, $0, words, environ) }
        guard status == 0 else { throw ProgramNotStarted(name: arguments[0], errno: status) }
        self.pid = pid
    }

    /// From here on signals wait to be taken by `waitForEnd`, so that none is lost in between.
    static func holdSignals() {
        var waiting = watched
        sigprocmask(SIG_BLOCK, &waiting, nil)
    }

    /// Passes signals on until the program has ended.
    ///
    /// - Returns: what to exit with: its own status, or 128 and the number of the signal that ended it.
    func waitForEnd() -> Int32 {
        var watched = Self.watched
        while true {
            var facts = siginfo_t()
            let signal = sigwaitinfo(&watched, &facts)
            if signal == SIGCHLD {
                var status: Int32 = 0
                let ended = waitpid(pid, &status, WNOHANG)
                if ended == pid { return Self.exitStatus(status) }
                // It is gone, and its status with it.
                if ended < 0, errno == ECHILD { return EXIT_FAILURE }
            } else if signal > 0, facts.si_code <= 0 {
                // What the kernel sends for a key of the terminal has reached the program too.
                kill(pid, signal)
            }
        }
    }

    private static var watched: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in passedOn + [SIGCHLD] { sigaddset(&signals, signal) }
        return signals
    }

    /// Taken apart as WIFEXITED and its like do.
    private static func exitStatus(_ status: Int32) -> Int32 {
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

/// The system did not start a program.
struct ProgramNotStarted: Error {
    let name: String
    let errno: Int32

    /// What shells exit with: 127 for a program that is not there, 126 for one that cannot be run.
    var exitStatus: Int32 { errno == ENOENT ? 127 : 126 }

    /// Says it on standard error and exits.
    func report() -> Never {
        let reason = String(cString: strerror(errno))
        Terminal.writeError("relctl: error: '\(Printable(name))' was not started: \(reason)\n")
        exit(exitStatus)
    }
}
