// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI

/// What is asked of the person about one server, on the shell's screen and by the verbs that do it.
struct TopConversation {
    private let server: RegistryAPI.Endpoint
    private let prompt: TopPrompt

    init(about server: RegistryAPI.Endpoint, _ prompt: TopPrompt) {
        self.server = server
        self.prompt = prompt
    }

    /// Until the person wants the list back.
    ///
    /// - Throws: `TopPrompt.Interruption`
    func hold(_ question: TopQuestion) throws {
        Terminal.write("\n")
        do {
            try openVault()
            switch question {
            case .pin: try run(["endpoint", "pin", "--", server.id])
            case .repin: try run(["endpoint", "repin", "--", server.id])
            case .logIn: try logIn()
            }
        } catch let error where !(error is TopPrompt.Interruption) {
            Terminal.writeError(Failure(error)?.text ?? "\(error)\n")
        }
        _ = try prompt.line("\nEnter goes back to the list: ")
    }

    private func openVault() throws {
        switch try VaultCommand.status(DaemonClient()).state {
        case .absent, .unlocked: return
        case .sealed, .locked:
            Terminal.write("The vault is locked.\n")
            // What failed it has said.
            guard try run(["vault", "unlock"]) else { throw TopPrompt.Interruption.abandoned }
        }
    }

    private func logIn() throws {
        let logins = try logins()
        guard !logins.isEmpty else { return try addLogin() }
        guard logins.count > 1 else { return try test(logins[0]) }
        for (number, login) in logins.enumerated() { Terminal.write("\(number + 1)  \(Printable(login.name))\n") }
        let answer = try prompt.line("which login, 1 to \(logins.count): ")
        guard let number = Int(answer), logins.indices.contains(number - 1) else {
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

    /// - Returns: the option for it; nothing where it is to stay as the verb has it.
    private func ask(_ what: String, proposal: String?) throws -> [String] {
        let answer = try prompt.line("\(what)\(proposal.map { " [\(Printable($0))]" } ?? ""): ")
        return answer.isEmpty ? [] : ["--\(what)=\(answer)"]
    }

    private func logins() throws -> [CredentialsAPI.Login] {
        do {
            return try DaemonClient().call(CredentialsAPI.ListLoginsCall()).logins.filter { $0.endpoint == server.id }
        } catch DaemonError.vaultAbsent {
            return []
        }
    }

    /// - Returns: whether it did what it is for; else it has said why not.
    @discardableResult
    private func run(_ verb: [String]) throws -> Bool { try prompt.run(verb) == 0 }
}
