// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LocalAPI
import TestSupport
import Testing

/// The helper for data, started for the first connection as systemd does.
struct DataHelper {
    let program: Supervised
    let socket: String
    private let runtime: String

    /// - Parameter tracer: a command that runs the program.
    init(_ deployment: Deployment, options: [String] = [], tracer: [String] = []) async throws {
        let path = deployment.home.path(of: "run/relativityd/data.sock")
        socket = path
        runtime = deployment.home.path(of: "run")
        program = try Supervised(
            [
                "systemd-socket-activate", "--listen", path, "-E",
                "XDG_RUNTIME_DIR=\(deployment.home.path(of: "run"))", "-E",
                "XDG_STATE_HOME=\(deployment.home.path(of: "state"))",
            ] + tracer + [Products.path(of: "relativityd-data"), "serve"] + options,
            environment: deployment.environment,
            log: deployment.home.path(of: "data.log")
        )
        deployment.own(program)
        try await eventually { [program] in program.output.contains("Listening on") }
    }

    func connect() throws -> DataClient { try DataClient(socket) }

    /// The private memory of the process, in bytes.
    func memory() async throws -> Int {
        let report = try await Command(["sh", "-c", "cat /proc/\(try await pid())/smaps_rollup"]).succeed()
        return try PrivateMemory.bytes(in: report)
    }

    func pid() async throws -> Int {
        // Other tests have helpers too, and the program that listens for this one may be its parent.
        let script = """
            for found in $(pgrep -f 'relativityd-data serve'); do
                tr '\\0' '\\n' 2>/dev/null <"/proc/$found/environ" | grep -qxF "$0" && echo "$found"
            done
            """
        let variable = "XDG_RUNTIME_DIR=\(runtime)"
        let found = try await Command(["sh", "-c", script, variable]).run().standardOutput
        return try #require(found.split(separator: "\n").last.flatMap { Int($0) }, "no helper runs")
    }
}

extension Deployment {
    /// A daemon, a server with a login, and the helper, with a client of it.
    func startData(_ options: String...) async throws -> (helper: DataHelper, client: DataClient) {
        try await startWithLogin(options)
        let helper = try await DataHelper(self)
        return (helper, try helper.connect())
    }
}

/// A client of the interface, which reads only as much as is asked for.
final class DataClient {
    private let stream: UnixStream
    private var received: [UInt8] = []

    init(_ socket: String) throws { stream = try UnixStream(path: socket) }

    func send(_ method: String, _ parameters: JSONObject, more: Bool = false) {
        let call: JSONObject = [
            "method": .string("org.relativityd.Data.\(method)"), "parameters": .object(parameters),
            "more": .bool(more),
        ]
        stream.send(Array(call.text.utf8) + [0])
    }

    /// The next reply.
    func reply() throws -> JSONObject {
        while true {
            if let end = received.firstIndex(of: 0) {
                let frame = Array(received[..<end])
                received.removeSubrange(...end)
                return try #require(try JSONValue(parsing: frame).objectValue)
            }
            let some = try stream.receiveSome()
            try #require(!some.isEmpty, "the connection was closed")
            received += some
        }
    }

    func call(_ method: String, _ parameters: JSONObject) throws -> JSONObject {
        send(method, parameters)
        return try reply()
    }

    /// All rows, and the names of the columns and the last reply.
    func rows(
        _ method: String,
        _ parameters: JSONObject
    ) throws -> (fields: [String], rows: [[JSONValue]], last: JSONObject) {
        send(method, parameters, more: true)
        var fields: [String] = []
        var rows: [[JSONValue]] = []
        while true {
            let reply = try reply()
            if let error = reply["error"] { throw Refused(reply: error.stringValue ?? "", all: reply.text) }
            let part = try reply.object("parameters")
            fields += (part["fields"]?.arrayValue ?? []).compactMap { $0.objectValue?["name"]?.stringValue }
            rows += (part["rows"]?.arrayValue ?? []).compactMap(\.arrayValue)
            if reply["continues"] != true { return (fields, rows, part) }
        }
    }

    struct Refused: Error {
        let reply: String
        let all: String
    }
}
