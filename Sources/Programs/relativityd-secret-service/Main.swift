// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// Reads one request for the Secret Service of the desktop session from standard input, executes it, and writes the
/// result to standard output. Started by relativityd(8); not intended for users.
@main
enum Main {
    /// The daemon terminates this process earlier. The alarm is for the case that the daemon itself has exited.
    private static let longestSeconds: UInt32 = 60

    static func main() {
        StandardDescriptors.ensureOpen()
        ProgramArguments.requireReadable()
        let contents = ProgramContents("relativityd-secret-service", [])
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let text = contents.answer(to: arguments) { return print(text, terminator: "") }
        alarm(longestSeconds)
        do throws(Refusal) {
            try hardened()
            let question = try Exchange.question()
            let body = try Exchange.body(of: question)
            try Exchange.finish(with: Keyring(mayAsk: question.mayAsk).answer(question, body))
        } catch {
            Exchange.fail(error)
            exit(EXIT_FAILURE)
        }
    }

    private static func hardened() throws(Refusal) {
        do throws(PlatformError) {
            try ProcessHardening.apply(keptDescriptors: 0)
        } catch {
            throw Refusal(.helper, error.description)
        }
    }
}
