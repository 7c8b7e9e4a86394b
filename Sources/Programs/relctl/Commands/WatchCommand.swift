// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import JSON
import LocalAPI
import Varlink

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print the servers and then every change, until interrupted.",
        discussion: """
            Each line begins with the time; a change shows the old and the new value. With an endpoint, prints only \
            its changes and probes it more often. Hidden servers are left out unless named. With --json, each line is \
            one object: first a snapshot, then changes with their revisions; hidden servers are included.
            """
    )

    @OptionGroup var output: OutputOptions
    @Flag(help: "Show hidden servers too.")
    var all = false
    @Argument(
        help: "Endpoint ID or unique name; by default all servers.",
        completion: LiveNames.endpoints
    )
    var endpoint: String?

    func run() throws {
        var lines = WatchLines(showsHidden: all || endpoint != nil)
        let call = RegistryAPI.WatchCall(endpoint: endpoint)
        try DaemonClient().streamJSON(call, output: STDOUT_FILENO) { update in
            if output.isJSON {
                JSONOption.write(update)
            } else {
                Self.show(try RegistryAPI.WatchReply(json: update), &lines)
            }
            return .next
        }
    }

    private static func show(_ update: RegistryAPI.WatchReply, _ lines: inout WatchLines) {
        let endpoints = (update.endpoints ?? []) + [update.endpoint].compactMap { $0 }
        var text = ""
        for endpoint in endpoints { text += lines.line(update.kind.rawValue, endpoint, at: .now) ?? "" }
        Terminal.write(text)
    }
}

/// The lines of `relctl watch`. A hidden server is printed only when it becomes hidden.
struct WatchLines {
    /// Members that have a column, or change together with one.
    private static let shownMembers: Set = [
        "id", "name", "state", "stateSince", "stateHeard", "url", "scheme", "host", "port", "path",
    ]

    private let showsHidden: Bool
    private let style: Style
    /// Servers that were printed, in the state last printed, by ID.
    private var shown: [String: RegistryAPI.Endpoint] = [:]

    init(showsHidden: Bool, _ style: Style = .ofOutput) {
        (self.showsHidden, self.style) = (showsHidden, style)
    }

    /// - Parameters:
    ///   - kind: `snapshot`, `added`, `changed` or `removed`.
    ///   - moment: when the change was received.
    /// - Returns: nil if nothing must be printed.
    mutating func line(_ kind: String, _ endpoint: RegistryAPI.Endpoint, at moment: Moment) -> String? {
        let old = shown[endpoint.id]
        guard let word = word(kind, endpoint) else { return nil }
        let last = word == "changed" ? old ?? endpoint : endpoint
        let cells: [any Fact] = [
            moment.clock, word, changed(last.name, endpoint.name),
            StateWord(endpoint.state.rawValue, after: last.state.rawValue, style),
            changed(last.url, endpoint.url), endpoint.id,
        ]
        let others = Self.differences(last, endpoint)
        return Columns(cells + (others.isEmpty ? [] : ["(\(others.joined(separator: ", ")))"])).text
    }

    private func changed(_ old: String, _ new: String) -> Printable {
        guard old != new else { return Printable(new) }
        return Printable(again: "\(Printable(old)) \(style.arrow) \(Printable(new))")
    }

    /// The names of the other members that changed, as words.
    private static func differences(_ old: RegistryAPI.Endpoint, _ new: RegistryAPI.Endpoint) -> [String] {
        let (old, new) = (old.json, new.json)
        let keys = Set(old.map(\.key)).union(new.map(\.key)).subtracting(shownMembers)
        return keys.filter { (old[$0] ?? .null) != (new[$0] ?? .null) }.map(words).sorted()
    }

    /// A member's name as words: `dataService` becomes `data service`.
    private static func words(_ member: String) -> String {
        member.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
    }

    private mutating func word(_ kind: String, _ endpoint: RegistryAPI.Endpoint) -> String? {
        let wasShown = shown[endpoint.id] != nil
        if kind == "removed" {
            shown[endpoint.id] = nil
            return wasShown ? kind : nil
        }
        guard showsHidden || !endpoint.hidden else {
            shown[endpoint.id] = nil
            return wasShown ? "hidden" : nil
        }
        shown[endpoint.id] = endpoint
        switch kind {
        case "snapshot": return "present"
        case "changed" where !wasShown: return "unhidden"
        default: return kind
        }
    }
}
