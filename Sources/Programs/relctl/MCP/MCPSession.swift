// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// A session of the Model Context Protocol (modelcontextprotocol.io, revision 2025-06-18, over standard input and output): one
/// JSON-RPC message per line. Decides the answer to each message; `MCPLoop` reads, writes and runs commands.
struct MCPSession {
    /// What follows from a message.
    enum Step: Equatable {
        /// Nothing: it was another notification.
        case none
        /// The request with this ID is cancelled, if it still runs.
        case cancel(JSONValue)
        /// This line is written.
        case reply([UInt8])
        /// A command is run, and its result written for the request with this ID.
        case run(MCPCall, id: JSONValue)
    }

    /// The greatest length of a line.
    static let longestLine = 4 << 20
    /// The greatest length of a result.
    static let longestResult = 1 << 20
    private static let limits = JSONLimits(depth: 32, bytes: longestLine, values: 1 << 18)
    /// The revisions of the protocol in which these messages mean the same, the newest first.
    private static let revisions = ["2025-06-18", "2025-03-26", "2024-11-05"]

    /// The servers that the user has named.
    let servers: [String]
    /// How to reach them, as options of relctl.
    let options: [String]
    /// The directory of pending sets; nil without `--edits`.
    let pendingDirectory: String?
    /// Nil before `initialize`.
    private(set) var client: ClientName?

    init(servers: [String], options: [String] = [], pendingDirectory: String? = nil) {
        (self.servers, self.options, self.pendingDirectory) = (servers, options, pendingDirectory)
    }

    private var tools: [MCPTool] {
        MCPTool.allCases.filter { pendingDirectory != nil || !$0.isEdit && $0 != .listPending }
    }

    /// The file of the client's pending set for a server.
    func pendingFile(of server: String) -> String {
        let name = ClientName.fileName(client?.text ?? "unnamed")
        return "\(pendingDirectory ?? ".")/\(name)@\(ClientName.fileName(server)).pending"
    }

    /// Takes a line without its line feed.
    mutating func take(_ line: some Collection<UInt8>) -> Step {
        guard let value = try? JSONValue(parsing: Array(line), limits: Self.limits) else {
            return .reply(Self.error(.null, .notJSON, "the line is not JSON within the limits"))
        }
        guard let message = value.objectValue, message["jsonrpc"]?.stringValue == "2.0",
            let method = message["method"]?.stringValue
        else { return .reply(Self.error(.null, .notARequest, "not a request of JSON-RPC 2.0")) }
        guard let id = message["id"] else {
            guard method == "notifications/cancelled", let id = message["params"]?.objectValue?["requestId"] else {
                return .none
            }
            return .cancel(id)
        }
        guard id.stringValue != nil || id.integerValue != nil else {
            return .reply(Self.error(.null, .notARequest, "'id' is neither a text nor an integer"))
        }
        let parameters = message["params"]?.objectValue ?? [:]
        switch method {
        case "initialize": return .reply(Self.result(id, initialize(parameters)))
        case "ping": return .reply(Self.result(id, [:]))
        case "tools/list":
            return .reply(Self.result(id, ["tools": .array(tools.map { .object($0.listed(servers)) })]))
        case "tools/call": return call(id, parameters)
        default: return .reply(Self.error(id, .noMethod, "there is no such method here"))
        }
    }

    private mutating func initialize(_ parameters: JSONObject) -> JSONObject {
        client = ClientName(parameters["clientInfo"]?.objectValue?["name"]?.stringValue ?? "")
        let wanted = parameters["protocolVersion"]?.stringValue
        return [
            "protocolVersion": .string(Self.revisions.first { $0 == wanted } ?? Self.revisions[0]),
            "capabilities": ["tools": [:]],
            "serverInfo": ["name": "relctl", "version": .string(ProjectVersion.text)],
        ]
    }

    private func call(_ id: JSONValue, _ parameters: JSONObject) -> Step {
        guard client != nil else { return .reply(Self.error(id, .notARequest, "'initialize' comes first")) }
        guard let name = parameters["name"]?.stringValue, let tool = tools.first(where: { $0.rawValue == name }) else {
            return .reply(Self.error(id, .invalidParameters, "there is no such tool"))
        }
        let arguments = parameters["arguments"] ?? [:]
        guard let arguments = arguments.objectValue else {
            return .reply(Self.error(id, .invalidParameters, "'arguments' is not an object"))
        }
        do throws(MCPCall.Invalid) {
            return .run(
                try MCPCall(tool, arguments, servers: servers, options: options, pending: pendingFile),
                id: id
            )
        } catch {
            return .reply(Self.error(id, .invalidParameters, error.reason))
        }
    }

    // MARK: Answers

    /// The codes of JSON-RPC 2.0, section 5.1.
    private enum Code: Int64 {
        case notJSON = -32_700
        case notARequest = -32_600
        case noMethod = -32_601
        case invalidParameters = -32_602
    }

    private static func error(_ id: JSONValue, _ code: Code, _ message: String) -> [UInt8] {
        let error: JSONObject = ["code": .integer(code.rawValue), "message": .string(message)]
        return line(["jsonrpc": "2.0", "id": id, "error": .object(error)])
    }

    /// The answer to a line that is longer than `longestLine`.
    static let tooLongLine = error(.null, .notARequest, "the line is longer than \(longestLine >> 20) MiB")

    private static func result(_ id: JSONValue, _ result: JSONObject) -> [UInt8] {
        line(["jsonrpc": "2.0", "id": id, "result": .object(result)])
    }

    private static func line(_ message: JSONObject) -> [UInt8] {
        var bytes: [UInt8] = []
        message.serialize(into: &bytes)
        return bytes
    }

    /// The answer with the output of a command, one object, whose numbers keep all their digits.
    static func answer(_ id: JSONValue, output: [UInt8]) -> [UInt8] {
        // White space between the members is all that a line feed can be in JSON.
        let object = output.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
        guard (try? JSONValue(parsing: object, limits: limits))?.objectValue != nil else {
            return failure(id, "the result is not JSON", status: nil)
        }
        var writer = JSONWriter(bytes: Array("{\"jsonrpc\":\"2.0\",\"id\":".utf8), style: .compact)
        id.serialize(into: &writer.bytes)
        writer.bytes += Array(",\"result\":{\"content\":[{\"type\":\"text\",\"text\":".utf8)
        writer.write(String(decoding: object, as: UTF8.self))
        writer.bytes += Array("}],\"structuredContent\":".utf8) + object + Array(",\"isError\":false}}".utf8)
        return writer.bytes
    }

    /// What a command has printed on standard error, without what is only for a command line: the name of the program,
    /// notes, hints, and options to use.
    static func plain(_ text: String) -> String {
        let lines = text.split(separator: "\n").compactMap { line -> Substring? in
            guard !line.hasPrefix("relctl: hint: "), !line.hasPrefix("relctl: note: ") else { return nil }
            var line = line
            for mark in ["relctl: ", "error: ", "--"] where line.hasPrefix(mark) { line = line.dropFirst(mark.count) }
            return line.firstRange(of: /: use --[-a-z]+[^:]*$/).map { line[..<$0.lowerBound] } ?? line
        }
        return lines.joined(separator: "\n")
    }

    /// The answer for a command that failed.
    ///
    /// - Parameters:
    ///   - text: what it printed; it may contain escaped text of a server.
    ///   - status: its exit status; nil if it has none.
    static func failure(_ id: JSONValue, _ text: String, status: Int32?) -> [UInt8] {
        var facts: JSONObject = ["error": .string(text)]
        facts["exitStatus"] = status.map { .integer(Int64($0)) }
        return result(
            id,
            [
                "content": [["type": "text", "text": .string(text)]], "structuredContent": .object(facts),
                "isError": true,
            ]
        )
    }
}
