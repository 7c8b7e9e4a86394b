// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints

/// Words of a command of which some may begin with `-`, as the negative key of a new row does. The parser hands over
/// everything that it does not know.
struct KeyWords {
    let words: [String]

    init(_ given: [String]) {
        words = given.filter { $0 != "--" }
    }

    /// - Throws: `ValidationError` for a word that is an unknown option.
    func check() throws {
        // Words after `--` are no options.
        guard !CommandLine.arguments.contains("--") else { return }
        for word in words where word.hasPrefix("-") && !Self.isNumber(word) {
            throw ValidationError("Unknown option '\(Printable(word))'")
        }
    }

    private static func isNumber(_ word: String) -> Bool {
        word.utf8.dropFirst().first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }
}
