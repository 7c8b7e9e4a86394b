// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI
import Platform

/// The login that a command uses, and what chose it: its option, the environment, or `relctl default set`, in this
/// order.
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

    /// Chooses the login of a command, and prints on standard error what chose it.
    ///
    /// - Parameters:
    ///   - option: the value of `--login`.
    ///   - endpoint: the endpoint argument. If it is given, the daemon selects the endpoint's only login.
    static func name(_ option: String?, at endpoint: String?, _ quiet: QuietOption) throws -> String? {
        guard endpoint == nil else { return option }
        let chosen = try choose(option)
        chosen.tell(quiet)
        return chosen.name
    }

    /// - Parameter option: the value of `--login`.
    /// - Throws: a usage failure if no login is chosen and there is not exactly one.
    private static func choose(_ option: String?) throws -> ChosenLogin {
        if let option { return ChosenLogin(option, by: .option) }
        if let chosen = try standing() { return chosen }
        if let only = try only() { return only }
        throw Failure(
            .usage,
            "which login? use --login NAME or set a default",
            hint: "relctl login list"
        )
    }

    /// The login of the environment or the default; used without `--login`.
    static func standing(_ environment: Environment = .ofProcess()) throws -> ChosenLogin? {
        if let name = environment[Chooser.environment.rawValue] { return ChosenLogin(name, by: .environment) }
        return try DefaultLogin(environment).read().map { ChosenLogin($0, by: .file) }
    }

    /// The login if there is only one; used if no other is chosen.
    static func only() throws -> ChosenLogin? {
        let names = try DaemonClient().call(CredentialsAPI.ListLoginsCall()).logins.map(\.name)
        return names.count == 1 ? ChosenLogin(names[0], by: .onlyOne) : nil
    }

    /// Prints on standard error what chose the login, unless it was `--login`.
    func tell(_ quiet: QuietOption) {
        guard chooser != .option else { return }
        let reason = chooser == .onlyOne ? "the only one" : "chosen by \(chooser.rawValue)"
        quiet.note("relctl: login '\(Printable(name))', \(reason)\n")
    }

    /// - Parameter chosen: nil if no login is chosen.
    static func json(_ chosen: ChosenLogin?) -> JSONObject {
        var object = JSONObject()
        object["login"] = chosen.map { .string($0.name) }
        object["chosenBy"] = chosen.map { .string($0.chooser.rawValue) }
        return object
    }
}

/// The name of the default login: one line of a file in the state directory.
struct DefaultLogin {
    private static let file = "default-login"
    /// More than the length of any login's name.
    private static let maximumBytes = 4_096

    private let directory: String

    init(_ environment: Environment) throws(PlatformError) {
        directory = try Directories(environment).state
    }

    /// - Returns: nil if there is no default.
    func read() throws(PlatformError) -> String? {
        guard let bytes = try AtomicFile.read(Self.file, in: opened(), maximumBytes: Self.maximumBytes) else {
            return nil
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// - Parameter name: the new default; nil to unset it.
    func write(_ name: String?) throws(PlatformError) {
        try AtomicFile.write(name.map { Array($0.utf8) + [UInt8(ascii: "\n")] } ?? [], to: Self.file, in: opened())
    }

    private func opened() throws(PlatformError) -> ProtectedDirectory {
        try ProtectedDirectory(directory, creating: true)
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
            let file = try DefaultLogin(.ofProcess())
            guard let current = try file.read(), current == old else { return }
            let names = try DaemonClient().call(CredentialsAPI.ListLoginsCall()).logins.map(\.name)
            let outcome = Outcome(of: current, when: old, becomes: new, among: names)
            guard let line = outcome.line(old) else { return }
            try file.write(new)
            output.note(line)
        } catch {
            Terminal.writeError(
                "relctl: warning: cannot update the default login: \(Printable("\(error)"))\n"
            )
        }
    }
}
