// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI
import Platform

/// The login that a verb uses, and who chose it: its option, the environment, or `relctl default set`, in this order.
struct ChosenLogin: Hashable {
    enum Chooser: String {
        case option = "--login"
        case environment = "RELATIVITYD_LOGIN"
        case file = "relctl default"
        case onlyOne = "the only one"
    }

    let name: String
    let chooser: Chooser

    init(_ name: String, by chooser: Chooser) {
        self.name = name
        self.chooser = chooser
    }

    /// Chooses the login of a verb, and says on standard error who has chosen it.
    ///
    /// - Parameters:
    ///   - option: what the verb's own line says.
    ///   - endpoint: what the verb's own line says; the daemon knows the only login of one.
    static func name(_ option: String?, at endpoint: String?, _ quiet: QuietOption) throws -> String? {
        guard endpoint == nil else { return option }
        let chosen = try choose(option)
        chosen.tell(quiet)
        return chosen.name
    }

    /// - Parameter option: what the verb's own line says.
    /// - Throws: usage, where none is chosen and there are several or none.
    private static func choose(_ option: String?) throws -> ChosenLogin {
        if let option { return ChosenLogin(option, by: .option) }
        if let chosen = try standing() { return chosen }
        let names = try DaemonClient().call(CredentialsAPI.ListLoginsCall()).logins.map(\.name)
        guard names.count != 1 else { return ChosenLogin(names[0], by: .onlyOne) }
        throw Failure(
            .usage,
            "no login is named: --login, \(Chooser.environment.rawValue), or a default",
            hint: "relctl login list"
        )
    }

    /// What counts where no option says otherwise.
    static func standing(_ environment: Environment = .ofProcess()) throws -> ChosenLogin? {
        if let name = environment[Chooser.environment.rawValue] { return ChosenLogin(name, by: .environment) }
        return try DefaultLogin(environment).read().map { ChosenLogin($0, by: .file) }
    }

    /// Says on standard error who has chosen, where that is not on the line that was typed.
    func tell(_ quiet: QuietOption) {
        guard chooser != .option else { return }
        let reason = chooser == .onlyOne ? "the only one" : "chosen by \(chooser.rawValue)"
        quiet.note("relctl: login '\(Printable(name))', \(reason)\n")
    }

    /// - Parameter chosen: nil where nobody has.
    static func json(_ chosen: ChosenLogin?) -> JSONObject {
        var object = JSONObject()
        object["login"] = chosen.map { .string($0.name) }
        object["chosenBy"] = chosen.map { .string($0.chooser.rawValue) }
        return object
    }
}

/// The name of the login that verbs use where none is named: one line of a file in the state directory.
struct DefaultLogin {
    private static let file = "default-login"
    /// Longer than the name of any login.
    private static let maximumBytes = 4_096

    private let directory: String

    init(_ environment: Environment) throws(PlatformError) {
        directory = try Directories(environment).state
    }

    /// - Returns: nil where none was set.
    func read() throws(PlatformError) -> String? {
        guard let bytes = try AtomicFile.read(Self.file, in: opened(), maximumBytes: Self.maximumBytes) else {
            return nil
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// - Parameter name: nil leaves none.
    func write(_ name: String?) throws(PlatformError) {
        try AtomicFile.write(name.map { Array($0.utf8) + [UInt8(ascii: "\n")] } ?? [], to: Self.file, in: opened())
    }

    private func opened() throws(PlatformError) -> ProtectedDirectory {
        try ProtectedDirectory(directory, creating: true)
    }
}

extension DefaultLogin {
    /// What becomes of the default once a login has another name, or is gone.
    enum Outcome: Equatable {
        case stays
        case follows(String)
        case ends

        /// - Parameters:
        ///   - current: the default; nil if there is none.
        ///   - old: the name that a login had.
        ///   - new: its new name; nil if it is gone.
        ///   - names: those of the logins that are there now. One of the administrator's may have the old name too.
        init(of current: String?, when old: String, becomes new: String?, among names: [String]) {
            if current != old || names.contains(old) {
                self = .stays
            } else {
                self = new.map { .follows($0) } ?? .ends
            }
        }

        /// What a person reads of it; nil if nothing changes.
        func line(_ old: String) -> String? {
            switch self {
            case .stays: nil
            case .follows(let new): "relctl: the default login is '\(Printable(new))' now\n"
            case .ends:
                "relctl: '\(Printable(old))' was the default login, and there is none now: relctl default set LOGIN\n"
            }
        }
    }

    /// Lets the default follow a login that was renamed, and ends it with one that was removed. The login was changed already,
    /// so what fails here is a warning. In a sandbox the default is another daemon's.
    static func follow(_ old: String, to new: String? = nil, _ output: OutputOptions) {
        guard !Sandbox.isSocket(SocketPath.ofClient()) else { return }
        do {
            let file = try DefaultLogin(.ofProcess())
            guard let current = try file.read(), current == old else { return }
            let names = try DaemonClient().call(CredentialsAPI.ListLoginsCall()).logins.map(\.name)
            let outcome = Outcome(of: current, when: old, becomes: new, among: names)
            guard let line = outcome.line(old) else { return }
            try file.write(new)
            output.note(line)
        } catch {
            Terminal.writeError(
                "relctl: warning: whether the default login has changed is not known: \(Printable("\(error)"))\n"
            )
        }
    }
}
