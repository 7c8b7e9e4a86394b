// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Varlink
import VarlinkService

extension PressAPI {
    /// The definition of the interface.
    static let definition = TextFile.text(of: "\(Sources.root)/Tests/Interfaces/org.example.press.varlink")
}

/// Methods that do what a test needs.
struct TestInterface: VarlinkInterface {
    let name = "org.example.test"
    let events: Events

    let description = """
        # For tests.
        interface org.example.test

        # Gives back what it gets.
        method Echo(text: string) -> (text: string)
        # Counts up, with a payload each.
        method Count(to: int, bytes: ?int) -> (value: int, payload: string)
        method Text() -> (text: string)
        # The number of the connection.
        method Number() -> (number: int)
        # Sends one reply, and no more.
        method Forever() -> ()
        # Sends one reply, and fails.
        method Stumble() -> ()
        # Ends only when cancelled.
        method Wait() -> ()
        method Fail() -> ()
        method Silent() -> ()
        method Secret(limit: int, count: ?int) -> (length: int, sum: int)
        method Unwritten() -> ()
        # Waits for Release.
        method Hold() -> (held: bool)
        method Release() -> ()

        error Sad (why: string)

        """

    struct Surprise: Error {}

    func isSafe(_ method: String) -> Bool { method != "Release" }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "Echo":
            events.add("echo")
            call.reply(["text": .string(try call.parameters.string("text"))])
        case "Count":
            let last = try call.parameters.integer("to")
            let payload = String(repeating: "x", count: Int(try call.parameters.optionalInteger("bytes") ?? 0))
            for value in 1..<last {
                try await call.reply(continuing: ["value": .integer(value), "payload": .string(payload)])
                events.add("counted")
            }
            call.reply(["value": .integer(last), "payload": .string(payload)])
        case "Number":
            call.reply(["number": .integer(Int64(call.connection))])
        case "Text":
            call.reply(["text": "a page\n"])
        case "Forever":
            try await call.reply(continuing: [:])
            events.add("forever")
            await events.untilCancelled()
        case "Stumble":
            try await call.reply(continuing: [:])
            throw VarlinkError("org.example.test.Sad", ["why": "half way"])
        case "Wait":
            events.add("waiting")
            await events.untilCancelled()
            events.add("cancelled")
        case "Fail":
            if let why = try call.parameters.optionalString("why") {
                throw VarlinkError("org.example.test.Sad", ["why": .string(why)])
            }
            throw Surprise()
        case "Silent":
            break
        case "Secret":
            let limit = try call.parameters.integer("limit")
            var (length, sum) = (0, 0)
            for _ in 0..<(try call.parameters.optionalInteger("count") ?? 1) {
                let taken = try await call.upgraded(maximumBytes: Int(limit)) { bytes in
                    (bytes.count, bytes.reduce(0) { $0 + Int($1) })
                }
                length += taken.0
                sum += taken.1
            }
            call.reply(["length": .integer(Int64(length)), "sum": .integer(Int64(sum))])
        case "Hold":
            events.add("holding")
            await events.until("release")
            call.reply(["held": true])
        case "Release":
            events.add("release")
            call.reply()
        default:
            throw VarlinkError.methodNotImplemented(call.method)
        }
    }
}
