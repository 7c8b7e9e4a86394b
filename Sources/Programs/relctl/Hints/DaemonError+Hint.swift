// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Platform

/// A command that can be pasted into a shell as the next step.
///
/// An interpolated string becomes one quoted word: `"relctl login test \(name)"`.
struct Hint: Hashable {
    let command: String

    init(command: String) {
        self.command = command
    }

    /// The line for standard error, safe for a terminal.
    var line: String { "relctl: hint: \(PrintableText(command).text)\n" }
}

extension Hint: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var command = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { command += literal }

        mutating func appendInterpolation(_ word: String) {
            // An argument that begins with a hyphen would be parsed as an option.
            if word.hasPrefix("-"), command.hasSuffix(" ") { command += "-- " }
            command += ShellWord.quote(word)
        }

        mutating func appendInterpolation(_ number: some BinaryInteger) { command += "\(number)" }
    }

    init(stringLiteral command: String) { self.init(command: command) }

    init(stringInterpolation: StringInterpolation) { self.init(command: stringInterpolation.command) }
}

extension Hint {
    /// Fills a row's next step with parameters; nil if one is missing in each of its commands.
    fileprivate init?(_ nextStep: String, _ parameters: JSONObject) {
        let hints = nextStep.split(separator: " | ").lazy.compactMap { Hint(filling: $0, from: parameters) }
        guard let hint = hints.first else { return nil }
        self = hint
    }

    private init?(filling command: Substring, from parameters: JSONObject) {
        var hint = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        for (index, part) in command.split(separator: /[{}]/, omittingEmptySubsequences: false).enumerated() {
            guard !index.isMultiple(of: 2) else {
                hint.appendLiteral(String(part))
                continue
            }
            switch parameters[String(part)] {
            case .string(let word)?: hint.appendInterpolation(word)
            case .integer(let number)?: hint.appendInterpolation(number)
            default: return nil
            }
        }
        self.init(stringInterpolation: hint)
    }
}

extension DaemonError {
    /// The next step; nil if there is no command for it. For wrong usage, nil leads to the help of the command.
    var hint: Hint? {
        switch code {
        case .watcherTooSlow: stream == .adapters ? "relctl adapter watch" : "relctl watch"
        case .unsafeStore: repair.map { Hint(command: $0) }
        case .diskFull: path.map { Hint(command: Repair.showFreeSpace(at: $0)) }
        case .vaultFull: Self.list(of: content)
        case .plaintextNotAllowed where pinned == false:
            endpoint.map { "relctl endpoint pin \($0) --allow-plaintext" }
        default: code.hint(parameters)
        }
    }

    /// The command that lists entries which could be removed to free space.
    private static func list(of content: Content?) -> Hint {
        switch content {
        case .slots: "relctl vault slot list"
        case .grants: "relctl grant list"
        case .logins, .pins, .settings, .bytes, nil: "relctl login list"
        }
    }
}

extension DaemonError.Code {
    /// The next step of the error's row; nil if there is none, or if it needs other parameters.
    func hint(_ parameters: JSONObject) -> Hint? { row.nextStep.flatMap { Hint($0, parameters) } }
}

extension PlatformError {
    /// The next step, if the message contains none. For wrong usage, nil leads to the help of the command.
    var hint: Hint? {
        switch self {
        case .arenaExhausted: "ulimit -l"
        case .crypto: "relctl version"
        case .noTerminal: .helpOfVerb
        case .relativeHome: Hint(command: "unset \(Directories.variable)")
        case .secretTooLong, .secretHasNUL, .secretMissing, .notARecoveryCode, .notRegular: nil
        case .noHome, .system, .tooLarge, .unsafePermissions, .noRuntimeDirectory, .runtimeDirectoryTooLong:
            nil
        }
    }
}
