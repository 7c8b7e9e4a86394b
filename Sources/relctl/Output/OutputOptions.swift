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
