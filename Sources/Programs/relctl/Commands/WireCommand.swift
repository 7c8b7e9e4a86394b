// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform

struct WireCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wire",
        abstract: "Decode and encode messages of the Remoting SDK.",
        discussion: """
            For developers of clients and tools. Only 'capture' requires the daemon.
            """,
        subcommands: [Decode.self, Encode.self, WireCaptureCommand.self]
    )

    struct Decode: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "decode",
            abstract: "Print a BinMessage, or a stream of tables, as JSON with the offset of every part.",
            discussion: """
                The ClientID and passwords are shown, because 'wire encode' restores the exact bytes. Leave them out \
                of a report with --redact.
                """
        )

        @Flag(help: "The input is hexadecimal text; white space is ignored.")
        var hex = false

        @Flag(help: "Leave out every value that is or may be a secret or data.")
        var redact = false

        @Option(
            help: ArgumentHelp(
                "Parameter types of an unknown method.",
                discussion: "For example 'integer,name:utf8String,array(variant)'.",
                valueName: "types"
            )
        )
        var types: String?

        @Argument(help: "A file; - is standard input.")
        var file = "-"

        func run() throws {
            let options = (hex ? ["--hex"] : []) + (redact ? ["--redact"] : []) + (types.map { ["--types", $0] } ?? [])
            throw WireCommand.become(["decode"] + options + [file])
        }
    }

    struct Encode: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "encode",
            abstract: "Encode the output of 'wire decode' back to bytes."
        )

        @Flag(help: "Write hexadecimal text.")
        var hex = false

        @Argument(help: "A file; - is standard input.")
        var file = "-"

        func run() throws {
            throw WireCommand.become(["encode"] + (hex ? ["--hex"] : []) + [file])
        }
    }

    /// Replaces this process with the helper, which contains the codec and SwiftNIO. Returns only if this fails.
    private static func become(_ arguments: [String]) -> Failure {
        let path = HelperProgram.path(of: "relativityd-data")
        return .becoming([path] + arguments, "'\(Printable(path))', a helper of relctl", ignoresPipes: true)
    }
}

struct WireCaptureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Record a server's responses for a bug report.",
        discussion: """
            Makes a few calls and records the replies, without passwords and sessions. Read the file before you send \
            it: it contains the texts of the server's exceptions.
            """
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "Endpoint ID or unique name, or LOGIN@ENDPOINT.", completion: LiveNames.endpoints)
    var endpoint: String
    @Option(help: "File to write, which must not exist.")
    var out: String
    @OptionGroup var login: LoginOption
    @Flag(help: "Send no login.")
    var anonymous = false
    @Flag(help: "Also send a wrong password once. A server may lock an account after several of these.")
    var tryWrongPassword = false

    func validate() throws {
        if anonymous, login.name != nil || tryWrongPassword {
            throw ValidationError("--anonymous cannot be used with --login or --try-wrong-password")
        }
    }

    func run() throws {
        // Before anything is sent: a path that cannot be written costs no login.
        try ResultFile.create(out, mode: 0o600) { file in
            let call = BrokerAPI.CaptureCall(
                endpoint: endpoint,
                login: login.name,
                preferredLogin: ChosenLogin.preferred,
                anonymous: anonymous,
                wrongPassword: tryWrongPassword
            )
            let reply = try output.client("calling the server").call(call, within: DaemonClient.interactive)
            try file.write(CaptureReport(record(), reply.exchanges).text)
        }
        output.report(["file": .string(out)], else: "wrote \(Printable(out)): read it before you send it\n")
    }

    private func record() throws -> RegistryAPI.Endpoint {
        let client = try DaemonClient()
        guard !anonymous else { return try .fetch(endpoint, client) }
        let call = BrokerAPI.ChooseCall(endpoint: endpoint, login: login.name, preferredLogin: ChosenLogin.preferred)
        return try .fetch(try client.call(call).endpoint, client)
    }
}

/// The report of `wire capture`.
struct CaptureReport {
    /// Keys of TXT records whose values identify nothing.
    private static let harmlessKeys: Set<String> = ["txtvers", "protovers", "version", "path", "scheme"]
    private static let preamble = """
        A report on a server, written by 'relctl wire capture'.

        It contains: keys of the server's TXT record, and for each call its HTTP status, its headers, and its messages
        in hexadecimal. Passwords and login strings are left out; every ClientID is replaced by zeros. Of a schema only
        the names of elements are shown, with their number. Values of headers and TXT keys are shown only where
        they are known to be harmless.

        It may contain: texts of the server's exceptions, unchanged. Read them before you send this.

        The points are those of docs/wire.md, "Not confirmed by a live server".

        """

    private let endpoint: RegistryAPI.Endpoint
    private let exchanges: [BrokerAPI.Exchange]

    init(_ endpoint: RegistryAPI.Endpoint, _ exchanges: [BrokerAPI.Exchange]) {
        self.endpoint = endpoint
        self.exchanges = exchanges
    }

    var text: String {
        var lines = ["relativityd \(ProjectVersion.text)", "scheme \(endpoint.scheme), \(endpoint.origin.rawValue)"]
        lines +=
            ["", "TXT record (point 1)"]
            + (endpoint.txt.isEmpty ? ["  none"] : endpoint.txt.map { Self.line(ofTXT: $0) })
        for exchange in exchanges { lines += [""] + Self.lines(of: exchange) }
        return Self.preamble + "\n" + lines.joined(separator: "\n") + "\n"
    }

    private static func line(ofTXT text: String) -> String {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let key = Printable(String(parts.first ?? ""), columns: 64)
        guard parts.count == 2 else { return "  \(key)" }
        let isHarmless = harmlessKeys.contains(parts[0].lowercased())
        return "  \(key)="
            + (isHarmless ? "\(Printable(parts[1], columns: 64))" : "(\(Counted(parts[1].utf8.count, "byte")))")
    }

    private static func lines(of exchange: BrokerAPI.Exchange) -> [String] {
        var lines = [title(of: exchange.step)]
        lines += exchange.notes.map { "  note: \($0.sentence)" }
        lines += ["  request:"] + dump(exchange.request)
        if let error = exchange.error { lines.append("  no reply: \(Printable(error))") }
        if let status = exchange.status { lines.append("  status: \(status)") }
        lines += exchange.headers.map { "  header: \(Printable($0))" }
        if let reply = exchange.reply { lines += ["  reply:"] + dump(reply) }
        return lines
    }

    private static func title(of step: String) -> String {
        switch ExchangeStep(rawValue: step) {
        case .expiry: "A call in a session that the server does not know (point 3)"
        case .login: "A login (points 2 and 6)"
        case .exception: "A call of a method that does not exist (point 2: status and kind of an exception)"
        case .schema: "GetSchema (point 7)"
        case .logout: "A logout"
        case .wrongPassword: "A login with a wrong password (point 2)"
        case nil: "\(Printable(step))"
        }
    }

    private static func dump(_ base64: String) -> [String] {
        HexDump.lines(of: Base64.decode(base64) ?? []).map { "    " + $0 }
    }
}

/// Lines of a hex dump: offset, 16 bytes in hexadecimal, and their ASCII characters.
enum HexDump {
    private static let width = 16

    static func lines(of bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count, by: width).map { start in
            let row = bytes[start..<min(start + width, bytes.count)]
            let offset = String(start, radix: 16)
            let hex = row.map { HexText.encode([$0]) }.joined(separator: " ")
            let text = String(decoding: row.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
            return padded(offset, 4, before: true) + "  " + padded(hex, 3 * width - 1, before: false) + "  " + text
        }
    }

    private static func padded(_ text: String, _ count: Int, before: Bool) -> String {
        let filling = String(repeating: before ? "0" : " ", count: max(0, count - text.utf8.count))
        return before ? filling + text : text + filling
    }
}
