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
