// SPDX-License-Identifier: Apache-2.0

import Glibc
import RandomRuns

/// Runs many rounds of what the tests of the modules run a few rounds of.
///
///     random-probe tables|edits|queries|values|damaged|applies COUNT
///     random-probe save FILE            saves pending changes, for tests that interrupt it
///     random-probe save-file|save-folder PATH   saves a briefcase, for the same tests
///
/// Prints a summary, or the first failure with exit status 1.
@main
enum Probe {
    static func main() async {
        if isHelper() { return }
        guard CommandLine.arguments.count == 3, let run = runs[CommandLine.arguments[1]],
            let count = Int(CommandLine.arguments[2]), count > 0
        else { exit(64) }
        do {
            print(try await run(count))
        } catch {
            print(error)
            exit(1)
        }
    }

    /// Runs as one of the processes that runs start.
    private static func isHelper() -> Bool {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            switch (arguments.first, arguments.count) {
            case ("save", 2): try EditorRuns.save(file: arguments[2])
            case ("save-file", 2): try BriefcaseRuns.save(arguments[2], isFolder: false)
            case ("save-folder", 2): try BriefcaseRuns.save(arguments[2], isFolder: true)
            default: return false
            }
            return true
        } catch {
            print("error \(error)")
            exit(1)
        }
    }

    private static let runs: [String: @Sendable (Int) async throws -> String] = [
        "tables": { try RoundTrips.tables($0) },
        "edits": { try EditRuns.sequences($0) },
        "applies": { count in
            let small = try await ApplyRuns.everyByte(step: max(1, 10_000 / count))
            return try await small + "\n" + ApplyRuns.random(count)
        },
        "damaged": { try QueryRuns.damaged($0) },
        "queries": { try await QueryRuns.queries($0) },
        "values": { try await ValueRuns.tables($0) },
    ]
}
