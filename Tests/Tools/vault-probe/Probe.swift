// SPDX-License-Identifier: Apache-2.0

import Credentials
import Glibc
import NIOPosix
import Platform

/// Runs the module Credentials with a vault that a credentials directory opens.
///
///     vault-probe DATA-DIRECTORY CREDENTIALS-DIRECTORY [STATE-DIRECTORY]
///
/// With a state directory it has an anchor and an audit log, like the daemon. It reads commands, one per line, and
/// exits at the end of input. For each it prints one line, `ok ...` or `error ...`:
///
///     wait                   looks whether there is a vault
///     create, open           the vault; `open` first looks at it as the daemon does at its start
///     add NAME, remove NAME  a login; prints the generation
///     list                   names, one space between
///     bench COUNT            see `Bench`
@main
enum Probe {
    static func main() async throws {
        guard [3, 4].contains(CommandLine.arguments.count) else { exit(64) }
        // The daemon ignores the signal too (ProcessHardening).
        signal(SIGXFSZ, SIG_IGN)
        var options = VaultOptions(directory: CommandLine.arguments[1])
        options.keyProviders = [CredentialsDirectory(path: CommandLine.arguments[2])]
        // A disk that others keep busy may take seconds for one sync.
        options.lockTimeout = .seconds(60)
        // One thread does the work of all saves, so that they can be told apart from everything else.
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        if CommandLine.arguments.count == 4 {
            let state = CommandLine.arguments[3]
            options.stateDirectory = state
            options.audit = AuditLog(directory: state, loop: loop, pool: pool)
        }
        let vault = ProbedVault(
            store: CredentialStore(options, loop: loop, pool: pool),
            arena: try SecretArena(),
            directory: options.directory
        )
        while let line = readLine() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            do {
                print("ok " + (try await vault.perform(words[0], words.count > 1 ? words[1] : "")))
            } catch {
                print("error \(error)")
            }
        }
    }

    /// One write, so that the line is complete even if the program is killed immediately after.
    private static func print(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}
