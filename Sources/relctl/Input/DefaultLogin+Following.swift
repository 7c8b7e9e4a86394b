// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI
import Platform

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
