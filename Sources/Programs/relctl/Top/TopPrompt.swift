// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform
import Screens

/// Reads lines and runs interactive commands on the shell's screen, while signals are blocked.
struct TopPrompt {
    enum Interruption: Error {
        /// The user has cancelled.
        case abandoned
        /// A signal that must end `relctl top`.
        case signal(Int32)
    }

    private let signals: HeldSignals

    init(_ signals: HeldSignals) {
        self.signals = signals
    }

    /// Reads a line.
    ///
    /// - Throws: `Interruption`, also for Ctrl-C.
    func line(_ question: String) throws -> String {
        Terminal.write(question)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            if let signal = awaitSignal(orReading: STDIN_FILENO) {
                if signal == SIGTSTP {
                    signals.take(signal)
                    Terminal.write(question)
                } else if signal == SIGINT || signal == SIGQUIT {
                    throw Interruption.abandoned
                } else {
                    try obey(signal)
                }
                continue
            }
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            guard count > 0 else { throw Interruption.abandoned }
            bytes += buffer.prefix(count)
            // The terminal returns complete lines, none longer than the buffer.
            if bytes.last == UInt8(ascii: "\n") || bytes.count >= buffer.count {
                return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            }
        }
    }

    /// Runs a command until it exits. If the command is stopped, this process stops too, and both continue together.
    ///
    /// - Returns: its exit status; nil if a signal killed it.
    func run(_ verb: [String]) throws -> Int32? {
        let pid = try start(verb)
        while true {
            guard let signal = awaitSignal(orReading: nil) else { continue }
            if signal == SIGTERM || signal == SIGHUP { kill(pid, signal) }
            switch ChildState(of: pid) {
            case .exited(let status): return status
            case .killed, .reaped: return nil
            case .stopped:
                raise(SIGSTOP)
                kill(pid, SIGCONT)
            case .unchanged: break
            }
            try obey(signal)
        }
    }

    /// Runs a part of a dialog, and prints its error unless the dialog was interrupted.
    ///
    /// - Throws: `Interruption`
    func attempt(_ part: () throws -> Void) throws {
        do {
            try part()
        } catch let error where !(error is Interruption) {
            Terminal.writeError(Failure(error)?.text ?? "\(error)\n")
        }
    }

    /// Adds a server.
    ///
    /// - Throws: `Interruption`
    func add(_ name: String, _ address: String) throws {
        Terminal.write("\n")
        var isAdded = false
        try attempt { isAdded = try run(["add", "--", name, address]) == 0 }
        if !isAdded { try waitForEnter() }
    }

    /// Gives the user time to read the end of a dialog.
    ///
    /// - Throws: `Interruption`
    func waitForEnter() throws { _ = try line("\nPress Enter to return to the list: ") }

    /// Starts a command as a process, so that secrets typed in it never pass through this process.
    private func start(_ verb: [String]) throws -> pid_t {
        // Signals blocked here must have their usual effect in the child.
        var program = ProgramStart("/proc/self/exe", arguments: ["relctl"] + verb)
        program.others = .inherited
        program.restored = []
        do throws(ProgramStart.Failure) {
            return try program.start()
        } catch {
            throw Failure(
                .failed,
                "cannot run relctl: \(String(cString: strerror(error.errno)))",
                hint: "relctl doctor"
            )
        }
    }

    /// - Returns: a signal; nil if input is available.
    private func awaitSignal(orReading input: Int32?) -> Int32? {
        var entries = [signals.descriptor, input ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            if let signal = signals.next() { return signal }
            poll(&entries, 2, -1)
            if entries[1].revents != 0 { return nil }
        }
    }

    private func obey(_ signal: Int32) throws {
        if signal == SIGTERM || signal == SIGHUP { throw Interruption.signal(signal) }
    }
}

extension ScreenSession {
    /// Leaves the screen for a dialog, and enters it again.
    ///
    /// - Returns: the events of this.
    func talk(_ dialog: (TopPrompt) throws -> Void) -> [Event] {
        terminal.leave()
        var events: [Event] = []
        do {
            try dialog(TopPrompt(signals))
        } catch TopPrompt.Interruption.signal(let number) {
            if let event = take(number) { events.append(event) }
        } catch {
            // The user has cancelled.
        }
        return events + [resume()]
    }
}

/// A dialog about one server, on the shell's screen, by means of commands.
struct TopConversation {
    private let server: RegistryAPI.Endpoint
    private let prompt: TopPrompt

    init(about server: RegistryAPI.Endpoint, _ prompt: TopPrompt) {
        self.server = server
        self.prompt = prompt
    }

    /// Runs the dialog until the user returns to the list.
    ///
    /// - Throws: `TopPrompt.Interruption`
    func hold(_ question: TopQuestion) throws {
        Terminal.write("\n")
        try prompt.attempt {
            try openVault()
            switch question {
            case .pin: try run(["endpoint", "pin", "--", server.id])
            case .repin: try run(["endpoint", "repin", "--", server.id])
            case .logIn: try logIn()
            }
        }
        try prompt.waitForEnter()
    }

    /// Whether a server has a login that can be used without the user.
    static func hasLogin(_ server: RegistryAPI.Endpoint) -> Bool { (try? logins(of: server).isEmpty) == false }

    /// Opens the vault and adds a login, as far as they are missing.
    ///
    /// - Returns: whether the server has a login now.
    /// - Throws: `TopPrompt.Interruption`
    func obtainLogin() throws -> Bool {
        Terminal.write("\n")
        try prompt.attempt {
            try openVault()
            if !Self.hasLogin(server) { try addLogin() }
        }
        guard !Self.hasLogin(server) else { return true }
        try prompt.waitForEnter()
        return false
    }

    private func openVault() throws {
        switch try CredentialsAPI.Vault.fetch(DaemonClient()).state {
        case .absent, .unlocked: return
        case .sealed, .locked:
            Terminal.write("The vault is locked.\n")
            // The command has printed its error.
            guard try run(["vault", "unlock"]) else { throw TopPrompt.Interruption.abandoned }
        }
    }

    private func logIn() throws {
        let logins = try Self.logins(of: server)
        guard !logins.isEmpty else { return try addLogin() }
        guard logins.count > 1 else { return try test(logins[0]) }
        for (number, login) in logins.enumerated() { Terminal.write("\(number + 1)  \(Printable(login.name))\n") }
        let answer = try prompt.line("which login, 1 to \(logins.count): ")
        guard let number = Int(answer), number > 0, logins.indices.contains(number - 1) else {
            throw TopPrompt.Interruption.abandoned
        }
        try test(logins[number - 1])
    }

    private func test(_ login: CredentialsAPI.Login) throws { try run(["login", "test", "--", login.name]) }

    private func addLogin() throws {
        Terminal.write("A new login for \(Printable(server.name)), \(Printable(server.url)).\n")
        let user = try prompt.line("user: ")
        guard !user.isEmpty else { throw TopPrompt.Interruption.abandoned }
        let domain = try ask("domain", proposal: server.loginDomain)
        let schema = try ask("schema", proposal: server.loginSchema)
        try run(["login", "add", "--user=\(user)"] + domain + schema + ["--", server.id])
    }

    /// - Returns: the option with the answer; empty to keep the command's default.
    private func ask(_ what: String, proposal: String?) throws -> [String] {
        let answer = try prompt.line("\(what)\(proposal.map { " [\(Printable($0))]" } ?? ""): ")
        return answer.isEmpty ? [] : ["--\(what)=\(answer)"]
    }

    private static func logins(of server: RegistryAPI.Endpoint) throws -> [CredentialsAPI.Login] {
        do {
            return try DaemonClient().call(CredentialsAPI.ListLoginsCall()).logins.filter { $0.endpoint == server.id }
        } catch let error as DaemonError where error.code == .vaultAbsent {
            return []
        }
    }

    /// - Returns: whether the command succeeded. If not, it has printed the reason.
    @discardableResult
    private func run(_ verb: [String]) throws -> Bool { try prompt.run(verb) == 0 }
}
