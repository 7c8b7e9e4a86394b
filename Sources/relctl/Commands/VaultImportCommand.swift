// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI

struct VaultImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take in the logins of an exported vault, or of a backup.",
        discussion: """
            Shows first what would happen, and asks. Nothing that is here is replaced: what differs is a conflict, and \
            stays out. A server that this vault does not know has to be agreed to before a password goes there.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var key: CopyKeyOptions
    @Argument(help: "The file.", completion: .file())
    var file: String
    @Flag(help: "Show what would happen, and change nothing.")
    var dryRun = false
    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    func run() throws {
        try VaultCommand.requireUnlocked()
        try SealedFile.withPieces(of: file) { pieces in
            let secrets = try key.read()
            let plan = try call(secrets, pieces, isDryRun: true)
            guard !dryRun, plan.contains(where: { $0.verdict == .added }) else {
                show(plan, isPlan: true)
                return try report(plan)
            }
            if !yes {
                show(plan, isPlan: true)
                guard Terminal.inputIsTerminal else {
                    throw Failure(.usage, "there is no terminal to ask on: --yes imports without asking")
                }
                guard Question.isYes("Take in what is new?") else { throw Failure(.failed, "nothing was imported") }
            }
            let done = try call(secrets, pieces, isDryRun: false)
            if yes, output.isJSON || !output.isQuiet { show(done) }
            askForAgreement(done)
            try report(done)
        }
    }

    private func call(
        _ secrets: [HeldSecret],
        _ pieces: [UnsafeRawBufferPointer],
        isDryRun: Bool
    ) throws -> [CredentialsAPI.ImportedLogin] {
        let reply = try output.client().call(
            CredentialsAPI.ImportCall(provider: key.kind.rawValue, dryRun: isDryRun),
            secrets: secrets,
            pieces: pieces
        )
        if let note = reply.note {
            Terminal.writeError("relctl: warning: \(Printable(note))\n")
        }
        return reply.logins
    }

    /// - Parameter isPlan: nothing was done yet.
    private func show(_ logins: [CredentialsAPI.ImportedLogin], isPlan: Bool = false) {
        if output.isJSON { return JSONOption.write(["logins": .array(logins.map { .object($0.json) })]) }
        let rows = logins.map { login in
            [
                isPlan && login.verdict == .added ? "new" : login.verdict.rawValue, login.login,
                login.name ?? login.endpoint, login.url ?? "-",
                login.reason ?? (login.needsAgreement ? "its server has to be agreed to" : ""),
            ]
        }
        Terminal.write(Table(["RESULT", "LOGIN", "ENDPOINT", "ADDRESS", "WHY"], rows).text)
    }

    private func askForAgreement(_ logins: [CredentialsAPI.ImportedLogin]) {
        for endpoint in Set(logins.filter(\.needsAgreement).map(\.endpoint)).sorted() {
            let hint: Hint = "relctl endpoint repin \(endpoint)"
            output.note("before a password goes there, see who it is: \(hint.command)\n")
        }
    }

    private func report(_ logins: [CredentialsAPI.ImportedLogin]) throws {
        let conflicts = logins.count { $0.verdict == .conflict }
        guard conflicts > 0 else { return }
        throw Failure(
            .someFailed,
            "\(conflicts) of \(Counted(logins.count, "login")) in conflict with what is here, and left out",
            hint: "relctl login list"
        )
    }
}
