// SPDX-License-Identifier: Apache-2.0

import DataAbstract

extension ClientCode {
    /// The manifest of the program in Swift.
    var manifest: String {
        """
        // swift-tools-version: 6.2

        \(Self.imports("PackageDescription"))

        let package = Package(
            name: "Client",
            dependencies: [
                // ADAPT: the sources of relativityd.
                .package(name: "relativityd", path: \(CodeLanguage.swift.literal(package)))
            ],
            targets: [
                .executableTarget(name: "Client", dependencies: [.product(name: "LocalAPI", package: "relativityd")])
            ]
        )

        """
    }

    /// The program in Swift, for the library product LocalAPI.
    var swift: String {
        func list(_ texts: [String]) -> String { "[\(texts.map(CodeLanguage.swift.literal).joined(separator: ", "))]" }
        let arguments = [
            ("endpoint", server.endpoint), ("login", server.login), ("service", server.service),
            ("schema", server.schema),
        ].compactMap { name, value in value.map { (name, CodeLanguage.swift.literal($0)) } }
        let anonymous = server.isAnonymous ? "        server.anonymous = true\n" : ""
        let assignments = arguments.map { "        server.\($0) = \($1)\n" }.joined() + anonymous
        let shown = SwiftRows.names(of: tables).map { name in
            "        for row in try rows(\(name).table) { print(printable(\"\\(try \(name)(row: row))\")) }\n"
        }
        return """
            \(Self.imports("Foundation JSON LocalAPI Varlink"))

            /// Shows, edits and keeps the tables of a Relativity server. README.md describes the commands.
            @main
            enum Program {
                // ADAPT: the server and the tables.
                static var server: DataAPI.Server {
                    var server = DataAPI.Server()
            \(assignments)        return server
                }
                static let tables: [String] = \(list(tables.map(\.name)))
                static let options: [String] = \(list(options))
                /// The set of changes that `apply` sends.
                static let pending = "client"

                static func main() {
                    do {
                        try run(Array(CommandLine.arguments.dropFirst()))
                    } catch {
                        fail("\\(error)")
                    }
                }

                static func run(_ words: [String]) throws {
                    switch (words.first ?? "show", words.count) {
                    case ("show", 0...1):
                        let data = try connect()
                        try show { try rows(of: $0, data) }
                    case ("edit", 5): try edit(words[1], key: words[2], words[3], words[4], try connect())
                    case ("apply", 1): try apply(try connect())
                    case ("save", 2):
                        print(try relctl(["save", "--to=\\(words[1])"] + options + ["--", server.endpoint ?? ""] + tables))
                    case ("load", 2): try show { try rows(of: $0, briefcase: words[1]) }
                    default: fail("show, edit TABLE KEY FIELD VALUE, apply, save FILE or load FILE")
                    }
                }

                /// A connection to the Data API. relativityd logs in when the first call needs the server.
                static func connect() throws -> DaemonClient { try DaemonClient(socket: SocketPath.ofData()) }

                static func show(_ rows: (String) throws -> [JSONObject]) throws {
                    // ADAPT: work with the typed rows.
            \(shown.joined())    }

                static func rows(of table: String, _ data: DaemonClient) throws -> [JSONObject] {
                    var names: [String] = []
                    var rows: [JSONObject] = []
                    let call = DataAPI.ReadCall(server: server, table: table, numbersAsText: true)
                    try data.streamJSON(call, firstWithin: DaemonClient.slow) { reply in
                        if let fields = try reply.optionalObjects("fields") {
                            names = try fields.map { try $0.string("name") }
                        }
                        for values in reply["rows"]?.arrayValue ?? [] {
                            rows.append(JSONObject(zip(names, values.arrayValue ?? [])))
                        }
                        return .next
                    }
                    return rows
                }

                /// Keeps a change of one field until `apply`.
                static func edit(
                    _ table: String, key: String, _ field: String, _ value: String, _ data: DaemonClient
                ) throws {
                    let schema = try data.call(
                        DataAPI.GetSchemaCall(server: server, table: table), within: DaemonClient.slow)
                    let keys = schema.tables.flatMap(\\.fields).filter { $0.key == true }.map(\\.name)
                    guard keys.count == 1 else { return fail("the key of the table has \\(keys.count) fields") }
                    // ADAPT: a change of a text or a number. A Boolean is `.bool`; inserts and deletes have other actions.
                    let edit = DataAPI.Edit(
                        action: .update, table: table, key: [keys[0]: .string(key)], values: [field: .string(value)])
                    let revision = try pendingSet(data)?.revision
                    let call = DataAPI.EditCall(server: server, edits: [edit], pending: pending, revision: revision)
                    for change in try data.call(call, within: DaemonClient.slow).changes {
                        print("pending \\(text(change.table)) \\(printable(change.key.text + " " + (change.new?.text ?? "")))")
                    }
                }

                static func apply(_ data: DaemonClient) throws {
                    guard let set = try pendingSet(data) else { return print("nothing to apply") }
                    let call = DataAPI.ApplyCall(server: server, pending: pending, revision: set.revision)
                    let reply = try data.call(call, within: DaemonClient.slow)
                    for change in reply.changes {
                        let reason = change.reason ?? change.conflict ?? ""
                        print("\\(change.outcome.rawValue) \\(text(change.table)) \\(printable(change.key.text)) \\(text(reason))")
                    }
                    if let failure = reply.failure { fail(failure.message) }
                    if reply.changes.contains(where: { $0.outcome != .accepted }) { fail("not all changes were accepted") }
                }

                static func pendingSet(_ data: DaemonClient) throws -> DataAPI.PendingSet? {
                    try data.call(DataAPI.ListPendingCall()).sets.first { $0.name == pending }
                }

                static func rows(of table: String, briefcase: String) throws -> [JSONObject] {
                    let output = try relctl(["load", "--json", "--numbers=text", "--", briefcase, table])
                    let limits = JSONLimits(depth: 8, bytes: 1 << 30, values: 1 << 26)
                    return try JSONValue(parsing: output, limits: limits).objectValue?.objects("rows") ?? []
                }

                static func relctl(_ words: [String]) throws -> String {
                    let process = Process()
                    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                    process.arguments = ["relctl", "briefcase"] + words
                    let output = Pipe()
                    process.standardOutput = output
                    try process.run()
                    let bytes = output.fileHandleForReading.readDataToEndOfFile()
                    process.waitUntilExit()
                    if process.terminationStatus != 0 { exit(process.terminationStatus) }
                    return String(decoding: bytes, as: UTF8.self)
                }

                /// A text of a server in JSON, of which no control character reaches the terminal.
                static func text(_ text: String) -> String { printable(JSONValue.string(text).text) }

                /// A text whose control characters, also those that change its direction, are shown as numbers.
                static func printable(_ text: String) -> String {
                    text.unicodeScalars.map { scalar in
                        switch scalar.properties.generalCategory {
                        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                            "<U+\\(String(scalar.value, radix: 16, uppercase: true))>"
                        default: String(scalar)
                        }
                    }.joined()
                }

                static func fail(_ message: String) {
                    FileHandle.standardError.write(Data((text(message) + "\\n").utf8))
                    exit(1)
                }
            }

            """
    }
}
