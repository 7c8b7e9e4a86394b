// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI

/// How much a verb prints, and in which form.
struct OutputOptions: ParsableArguments {
    @OptionGroup var json: JSONOption
    @OptionGroup var quiet: QuietOption

    var isJSON: Bool { json.isOn }
    var isQuiet: Bool { quiet.isOn }

    /// Prints what was asked for.
    func show(_ object: @autoclosure () throws -> JSONObject, else text: @autoclosure () throws -> String) rethrows {
        if isJSON { JSONOption.write(try object()) } else { Terminal.write(try text()) }
    }

    /// Prints what was done.
    func tell(_ object: @autoclosure () throws -> JSONObject, else text: @autoclosure () throws -> String) rethrows {
        if isJSON || !isQuiet { try show(object(), else: text()) }
    }

    /// For what was done and needs no words but the exit status.
    func tell(_ object: @autoclosure () throws -> JSONObject) rethrows {
        if isJSON { JSONOption.write(try object()) }
    }

    func note(_ text: String) { quiet.note(text) }

    /// A connection for what may take long: a person at a terminal sees meanwhile what is waited for.
    ///
    /// - Parameter work: what the daemon does, such as `logging in`.
    func client(_ work: String = "waiting for an answer") throws -> DaemonClient {
        let client = try DaemonClient()
        if !isQuiet, let progress = Progress() {
            client.onDelay = { isWaiting in
                if isWaiting { progress.show("\(work); Ctrl-C ends the wait") } else { progress.clear() }
            }
        }
        return client
    }
}

/// `--json`: one object, or one on each line of a stream; relctl(1) has what it promises under JSON OUTPUT.
struct JSONOption: ParsableArguments {
    /// The version of what is promised: a number that grows when a member goes or comes to mean something else.
    private static let schemaVersion: Int64 = 1

    @Flag(name: .customLong("json"), help: "Print JSON instead of text.")
    var isOn = false

    /// On a line of its own, with the version of the schema in front.
    static func write(_ object: JSONObject) {
        var versioned: JSONObject = ["schemaVersion": .integer(schemaVersion)]
        for (key, value) in object { versioned[key] = value }
        Terminal.write(PrintableJSON(.object(versioned)).bytes + [UInt8(ascii: "\n")])
    }
}

/// `--quiet`.
struct QuietOption: ParsableArguments {
    @Flag(
        name: [.customShort("q"), .customLong("quiet")],
        help: "Print only what was asked for, and errors: no notes, and not what was done."
    )
    var isOn = false

    /// Says on standard error what else is worth knowing: whole lines.
    func note(_ text: String) {
        if !isOn { Terminal.writeError(text) }
    }
}

extension JSONObject {
    /// The object with this list and nothing else.
    func only(_ list: String) throws -> JSONObject { [list: .array(try array(list))] }
}

/// Whether the daemon may ask the user for what is missing.
struct InteractiveOption: ParsableArguments {
    @Flag(help: "Where a passphrase, login or password is missing, have the daemon ask for it in a prompt.")
    var interactive = false

    /// Says on standard error that what is asked is not asked here.
    func announce() {
        guard interactive else { return }
        Terminal.writeError("relctl: what is missing is asked for by a pinentry or a password agent, not here\n")
    }
}
