// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI
import Platform

/// A login that was chosen, and what chose it. The daemon chooses.
struct ChosenLogin: Hashable {
    enum Chooser: String {
        case option = "--login"
        case environment = "RELATIVITYD_LOGIN"
        case endpoint = "relctl endpoint set"
        case file = "relctl default"
        case onlyOne = "the only one"

        init(_ chooser: BrokerAPI.Chooser) {
            self =
                switch chooser {
                case .named: .option
                case .variable: .environment
                case .endpoint: .endpoint
                case .global: .file
                case .onlyOne: .onlyOne
                }
        }
    }

    let name: String
    let chooser: Chooser

    init(_ name: String, by chooser: Chooser) {
        self.name = name
        self.chooser = chooser
    }

    /// - Returns: nil for an adapter without a login.
    init?(of adapter: BrokerAPI.Adapter) { self.init(adapter.login, adapter.chosenBy) }

    init?(_ login: String?, _ chooser: BrokerAPI.Chooser?) {
        guard let login, let chooser else { return nil }
        self.init(login, by: Chooser(chooser))
    }

    /// The value of the variable `RELATIVITYD_LOGIN`, which calls of the daemon name as the preferred login.
    static var preferred: String? { Environment.ofProcess()[Chooser.environment.rawValue] }

    /// The default for all endpoints: of the environment, or of `relctl default set`.
    static func standing(_ environment: Environment = .ofProcess()) throws -> ChosenLogin? {
        if let name = environment[Chooser.environment.rawValue] { return ChosenLogin(name, by: .environment) }
        return try DefaultLogin.read(in: Directories(environment).state).map { ChosenLogin($0.name, by: .file) }
    }

    /// The login if there is only one.
    static func only() throws -> ChosenLogin? {
        let names = try DaemonClient().call(CredentialsAPI.ListLoginsCall()).logins.map(\.name)
        return names.count == 1 ? ChosenLogin(names[0], by: .onlyOne) : nil
    }

    /// The login and what chose it; nil if the user named it.
    var note: String? {
        guard chooser != .option else { return nil }
        return "login '\(Printable(name))', \(chooser == .onlyOne ? "the only one" : "chosen by \(chooser.rawValue)")"
    }

    /// Prints the note on standard error.
    func printNote(_ quiet: QuietOption) { if let note { quiet.note("relctl: \(note)\n") } }

    /// - Parameter chosen: nil if no login is chosen.
    static func json(_ chosen: ChosenLogin?) -> JSONObject {
        var object = JSONObject()
        object["login"] = chosen.map { .string($0.name) }
        object["chosenBy"] = chosen.map { .string($0.chooser.rawValue) }
        return object
    }
}

extension DefaultLogin {
    /// The effect on the default of renaming or removing a login.
    enum Outcome: Equatable {
        case stays
        case follows(String)
        case ends

        /// - Parameters:
        ///   - current: the default; nil if there is none.
        ///   - old: the name that a login had.
        ///   - new: its new name; nil if it is gone.
        ///   - names: the names of the present logins. A configured login may have the old name too.
        init(of current: String?, when old: String, becomes new: String?, among names: [String]) {
            if current != old || names.contains(old) {
                self = .stays
            } else {
                self = new.map { .follows($0) } ?? .ends
            }
        }

        /// The note for the user; nil if nothing changes.
        func line(_ old: String) -> String? {
            switch self {
            case .stays: nil
            case .follows(let new): "relctl: the default login is '\(Printable(new))' now\n"
            case .ends:
                "relctl: '\(Printable(old))' was the default login; now there is none: relctl default set LOGIN\n"
            }
        }
    }

    /// Updates the default after a login was renamed or removed. A failure is only a warning, because the login has
    /// already changed.
    static func follow(_ old: String, to new: String? = nil, _ output: OutputOptions) {
        do {
            let state = try Directories(.ofProcess()).state
            guard let current = try read(in: state), current.name == old else { return }
            let names = try DaemonClient().call(CredentialsAPI.ListLoginsCall()).logins.map(\.name)
            let outcome = Outcome(of: current.name, when: old, becomes: new, among: names)
            guard let line = outcome.line(old) else { return }
            try write(new.map { DefaultLogin(name: $0, endpoint: current.endpoint) }, in: state)
            output.note(line)
        } catch {
            Terminal.writeError(
                "relctl: warning: cannot update the default login: \(Printable("\(error)"))\n"
            )
        }
    }
}
