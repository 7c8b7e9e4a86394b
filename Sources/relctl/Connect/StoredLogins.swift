// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

/// The logins of one server that can be seen now: without those of the vault while it is locked.
struct StoredLogins {
    private static let attempts = 3

    private let server: RegistryAPI.Endpoint
    private let names: [String]

    init(of server: RegistryAPI.Endpoint, _ output: OutputOptions) throws {
        self.server = server
        do {
            let logins = try output.client().call(CredentialsAPI.ListLoginsCall()).logins
            names = logins.filter { $0.endpoint == server.id }.map(\.name)
        } catch let error as DaemonError where [.vaultAbsent, .vaultLocked].contains(error.code) {
            names = []
        }
    }

    /// Chooses a login: the one that is named, the only one, the default, or the one that a person chooses.
    ///
    /// - Parameter named: the option of the verb.
    /// - Returns: nil if there is none, or not the one that is named.
    func choose(_ named: String?) throws -> String? {
        if let named { return names.contains(named) ? named : nil }
        guard names.count > 1 else { return names.first }
        if let chosen = try ChosenLogin.standing(), names.contains(chosen.name) { return chosen.name }
        guard Terminal.inputIsTerminal else {
            throw Failure(
                .usage,
                """
                '\(Printable(server.name))' has several logins, choose one with --login: \
                \(names.map { "\(Printable($0))" }.joined(separator: ", "))
                """
            )
        }
        return try ask()
    }

    private func ask() throws -> String {
        for (number, name) in names.enumerated() { Terminal.writeError("\(number + 1)  \(Printable(name))\n") }
        for _ in 0..<Self.attempts {
            let answer = Question.text("which login, 1 to \(names.count)")
            if let number = Int(answer), names.indices.contains(number - 1) { return names[number - 1] }
        }
        throw Failure(.usage, "no login was chosen: name it with --login")
    }
}
