// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI
import Platform

/// The text of `wire capture`.
struct CaptureReport {
    /// Keys of TXT records whose values tell nothing of anybody.
    private static let harmlessKeys: Set<String> = ["txtvers", "protovers", "version", "path", "scheme"]
    private static let preamble = """
        A report on a server, written by 'relctl wire capture'.

        It holds: the keys of the server's TXT record, and for each call its HTTP status, its headers, and its messages
        in hexadecimal. Passwords and login strings are left out; every ClientID is replaced by zeros. Of a schema only
        the names of elements are shown, with how often they come. Values of headers and TXT keys are shown only where
        they are known to be harmless.

        It may hold: texts of the server's exceptions, as they came. Look at them before you send this.

        Points are those of docs/wire.md, "Not confirmed by a live server".

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
        lines += exchange.notes.map { "  note: \(Printable($0))" }
        lines += ["  request:"] + dump(exchange.request)
        if let error = exchange.error { lines.append("  no reply: \(Printable(error))") }
        if let status = exchange.status { lines.append("  status: \(status)") }
        lines += exchange.headers.map { "  header: \(Printable($0))" }
        if let reply = exchange.reply { lines += ["  reply:"] + dump(reply) }
        return lines
    }

    private static func title(of step: String) -> String {
        switch BrokerAPI.Exchange.Step(rawValue: step) {
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
