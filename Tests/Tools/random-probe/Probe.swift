// SPDX-License-Identifier: Apache-2.0

import Glibc
import RandomRuns

/// Runs many rounds of what the tests of the modules run a few rounds of.
///
///     random-probe secrets|logins|json|tables|edits|queries|damaged COUNT
///
/// Prints a summary, or the first failure with exit status 1.
@main
enum Probe {
    static func main() {
        guard CommandLine.arguments.count == 3, let run = runs[CommandLine.arguments[1]],
            let count = Int(CommandLine.arguments[2]), count > 0
        else { exit(64) }
        do {
            print(try run(count))
        } catch {
            print(error)
            exit(1)
        }
    }

    private static let runs: [String: @Sendable (Int) throws -> String] = [
        "secrets": { try SecretRuns.printed($0) },
        "logins": { try SecretRuns.refused($0) },
        "json": { try RoundTrips.json($0) },
        "tables": { try RoundTrips.tables($0) },
        "edits": { try EditRuns.sequences($0) },
        "damaged": { try QueryRuns.damaged($0) },
        "queries": { try QueryRuns.queries($0) },
    ]
}
