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
            one object: first a snapshot, then changes with their revisions; hidden servers are included. When the \
            daemon restarts, it connects again, and prints what has changed; with --json, another snapshot.
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

    /// The time to wait for a daemon that restarts, and between two attempts.
    private static let patience = Duration.seconds(60)
    private static let pause: Int32 = 250

    func run() throws {
        var lines = WatchLines(showsHidden: all || endpoint != nil)
        var revision: Int64?
        var end: ContinuousClock.Instant?
        while true {
            let error: VarlinkClientError
            do {
                return try watch(&lines, &revision) { end = nil }
            } catch let lost as VarlinkClientError where revision != nil && Self.isTransient(lost) {
                error = lost
            }
            if end == nil { output.note("relctl: note: the connection to the daemon was lost: trying again\n") }
            let limit = end ?? .now + Self.patience
            guard .now < limit else { throw error }
            end = limit
            // Returns early if the reader of the output has gone.
            var reader = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            if poll(&reader, 1, Self.pause) > 0 { throw VarlinkClientError.readerGone }
        }
    }

    /// Whether the daemon has ended, and another one may have started.
    private static func isTransient(_ error: VarlinkClientError) -> Bool {
        switch error {
        case .closed, .deadlinePassed, .noService: true
        default: false
        }
    }

    /// Prints changes until the connection is lost.
    ///
    /// - Parameter revision: the last revision that was received.
    private func watch(_ lines: inout WatchLines, _ revision: inout Int64?, onReply: () -> Void) throws {
        let call = RegistryAPI.WatchCall(endpoint: endpoint, since: revision)
        try DaemonClient().streamJSON(call, output: STDOUT_FILENO) { update in
            onReply()
            let reply = try RegistryAPI.WatchReply(json: update)
            revision = reply.revision
            if output.isJSON {
                JSONOption.write(update)
            } else {
                Terminal.write(lines.text(of: reply, at: .now))
            }
            return .next
        }
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
    private var isFirst = true

    init(showsHidden: Bool, _ style: Style = .ofOutput) {
        (self.showsHidden, self.style) = (showsHidden, style)
    }

    /// The lines of a reply. Of a snapshot after a lost connection, only what has changed since is printed.
    mutating func text(of reply: RegistryAPI.WatchReply, at moment: Moment) -> String {
        if let endpoint = reply.endpoint { return line(reply.kind.rawValue, endpoint, at: moment) ?? "" }
        guard let endpoints = reply.endpoints else { return "" }
        defer { isFirst = false }
        var text = ""
        for endpoint in endpoints {
            if let last = shown[endpoint.id] {
                if Self.isShownAlike(last, endpoint) { continue }
                text += line("changed", endpoint, at: moment) ?? ""
            } else {
                text += line(isFirst ? "snapshot" : "added", endpoint, at: moment) ?? ""
            }
        }
        let present = Set(endpoints.map(\.id))
        for gone in shown.values.sorted(by: { $0.id < $1.id }) where !present.contains(gone.id) {
            text += line("removed", gone, at: moment) ?? ""
        }
        return text
    }

    private static func isShownAlike(_ old: RegistryAPI.Endpoint, _ new: RegistryAPI.Endpoint) -> Bool {
        old.name == new.name && old.url == new.url && old.state == new.state && differences(old, new).isEmpty
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
