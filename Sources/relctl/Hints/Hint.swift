// SPDX-License-Identifier: Apache-2.0

import Platform

/// A command that can be pasted into a shell as the next step.
///
/// A text that is interpolated becomes one word of the command: `"relctl login test \(name)"`.
struct Hint: Hashable {
    let command: String

    init(command: String) {
        self.command = command
    }
}

extension Hint: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var command = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { command += literal }

        mutating func appendInterpolation(_ word: String) {
            // An argument that begins like an option would be read as one.
            if word.hasPrefix("-"), command.hasSuffix(" ") { command += "-- " }
            command += ShellWord.quote(word)
        }

        mutating func appendInterpolation(_ number: some BinaryInteger) { command += "\(number)" }
    }

    init(stringLiteral command: String) { self.init(command: command) }

    init(stringInterpolation: StringInterpolation) { self.init(command: stringInterpolation.command) }
}
