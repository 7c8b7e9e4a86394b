// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import Platform

/// The login that a verb uses, and who chose it: its option, the environment, or `relctl default set`, in this order.
struct ChosenLogin: Hashable {
    enum Chooser: String {
        case option = "--login"
        case environment = "RELATIVITYD_LOGIN"
        case file = "relctl default"
    }

    let name: String
    let chooser: Chooser

    init(_ name: String, by chooser: Chooser) {
        self.name = name
        self.chooser = chooser
    }

    /// - Parameter option: what the verb's own line says.
    /// - Throws: usage, where nobody has chosen any.
    static func choose(_ option: String?, _ environment: Environment = .ofProcess()) throws -> ChosenLogin {
        if let option { return ChosenLogin(option, by: .option) }
        guard let chosen = try standing(environment) else {
            throw Failure(
                .usage,
                "no login is named: --login, \(Chooser.environment.rawValue), or a default",
                hint: "relctl default set LOGIN"
            )
        }
        return chosen
    }

    /// What counts where no option says otherwise.
    static func standing(_ environment: Environment = .ofProcess()) throws -> ChosenLogin? {
        if let name = environment[Chooser.environment.rawValue] { return ChosenLogin(name, by: .environment) }
        return try DefaultLogin(environment).read().map { ChosenLogin($0, by: .file) }
    }

    /// Says on standard error who has chosen, where that is not on the line that was typed.
    func tell(_ quiet: QuietOption) {
        guard chooser != .option else { return }
        quiet.note("relctl: login '\(Printable(name))', chosen by \(chooser.rawValue)\n")
    }

    /// - Parameter chosen: nil where nobody has.
    static func json(_ chosen: ChosenLogin?) -> JSONObject {
        var object = JSONObject()
        object["login"] = chosen.map { .string($0.name) }
        object["chosenBy"] = chosen.map { .string($0.chooser.rawValue) }
        return object
    }
}
