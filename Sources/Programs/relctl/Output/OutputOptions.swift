// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI
import Varlink

/// The amount and the format of output.
struct OutputOptions: ParsableArguments {
    @OptionGroup var json: JSONOption
    @OptionGroup var quiet: QuietOption

    var isJSON: Bool { json.isOn }
    var isQuiet: Bool { quiet.isOn }

    /// Prints requested data.
    func show(_ object: @autoclosure () throws -> JSONObject, else text: @autoclosure () throws -> String) rethrows {
        if isJSON { JSONOption.write(try object()) } else { Terminal.write(try text()) }
    }

    /// Prints the result of a change, unless `--quiet` is given.
    func report(_ object: @autoclosure () throws -> JSONObject, else text: @autoclosure () throws -> String) rethrows {
        if isJSON || !isQuiet { try show(object(), else: text()) }
    }

    /// Prints the result of a change only with `--json`; otherwise the exit status is enough.
    func report(_ object: @autoclosure () throws -> JSONObject) rethrows {
        if isJSON { JSONOption.write(try object()) }
    }

    /// Prints the list in the reply of a call.
    ///
    /// - Parameters:
    ///   - member: the list in the JSON of the reply.
    ///   - none: the note that there are no rows.
    ///   - rows: the cells of the reply.
    func list<Call: VarlinkMethodCall>(
        _ call: Call,
        _ member: String,
        _ heading: [String],
        none: String,
        within deadline: Duration = DaemonClient.quick,
        _ rows: (Call.Reply) throws -> [[String]]
    ) throws {
        let object = try client().json(call, within: deadline)
        if isJSON { return JSONOption.write(try object.only(member)) }
        list(heading, try rows(Call.Reply(json: object)), none: none)
    }

    /// Prints rows below a heading, or the note that there are none.
    func list(_ heading: [String], _ rows: [[String]], none: String) {
        guard !rows.isEmpty else { return note(none) }
        Terminal.write(Table(heading, rows, to: Terminal.outputColumns).text)
    }

    func note(_ text: String) { quiet.note(text) }

    /// A client for calls that may take long. At a terminal, a status line is shown while a call waits.
    ///
    /// - Parameter work: the activity in the status line, such as `logging in`.
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

/// The option `--json`: one object, or a stream of objects, one per line. JSON OUTPUT in relctl(1) has the guarantees.
struct JSONOption: ParsableArguments {
    /// The version of the JSON schema, increased when a member is removed or changes its meaning.
    private static let schemaVersion: Int64 = 1

    @Flag(name: .customLong("json"), help: "Print JSON instead of text.")
    var isOn = false

    /// Prints an object on one line, with the schema version as its first member.
    static func write(_ object: JSONObject) {
        var versioned: JSONObject = ["schemaVersion": .integer(schemaVersion)]
        for (key, value) in object { versioned[key] = value }
        Terminal.write(PrintableJSON(.object(versioned)).bytes + [UInt8(ascii: "\n")])
    }
}

/// The option `--quiet`.
struct QuietOption: ParsableArguments {
    @Flag(
        name: [.customShort("q"), .customLong("quiet")],
        help: "Print only requested data and errors, without notes and results of changes."
    )
    var isOn = false

    /// Prints a note on standard error. The text must end with a newline.
    func note(_ text: String) {
        if !isOn { Terminal.writeError(text) }
    }
}

extension JSONObject {
    /// An object with only this list.
    func only(_ list: String) throws -> JSONObject { [list: .array(try array(list))] }
}

/// The option that lets the daemon prompt for missing input.
struct InteractiveOption: ParsableArguments {
    @Flag(help: "Let the daemon ask for a missing passphrase, login or password in a prompt.")
    var interactive = false

    /// Prints on standard error that prompts appear elsewhere, if the daemon may prompt.
    func announce() {
        if interactive { Self.notePromptsElsewhere() }
    }

    /// Prints on standard error that prompts appear elsewhere.
    static func notePromptsElsewhere() {
        Terminal.writeError("relctl: prompts appear in a pinentry or a password agent, not here\n")
    }
}
