// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI
import Screens
import Varlink

/// The state of `relctl top`.
struct TopState: ServerScreen {
    enum Link: Equatable {
        case connecting
        case live
        /// The connection failed, with the reason. The list is the last one received.
        case away(String)
    }

    /// The content of the lower part of the screen.
    enum Pane: CaseIterable { case events, adapters, server }

    enum Mode { case browsing, filtering, help }

    /// The interval between two attempts to connect to the daemon.
    static let pause = Duration.seconds(1)
    static let mostCalls = 16

    var size: ScreenSize
    var link = Link.connecting
    /// Whether to wait for `pauseOver` before the next attempt.
    private var isPaused = false
    var list = TopList()
    var adapters = TopAdapters()
    var notes = TopNotes()
    var pane = Pane.events
    var mode = Mode.browsing
    /// The revision of the last change received.
    var revision: Int64?
    /// Running calls that concern one server.
    var running: Set<TopCall> = []
    /// The time of day of the current event.
    private var time = ""

    init(size: ScreenSize) {
        self.size = size
    }

    var lines: [ScreenLine] { TopScreen(self).lines }

    func start() -> [TopAction] { [.call(.watch(since: revision)), .call(.watchAdapters)] }

    mutating func handle(_ event: TopEvent, at time: String) -> [TopAction] {
        self.time = time
        defer { list.scroll(rows: TopLayout(size).listLines) }
        switch event {
        case .reply(let call, let reply):
            do {
                try take(reply, of: call)
                return []
            } catch {
                return fail(call, "the daemon's reply does not fit this version: \(error)", hint: "relctl version")
            }
        case .failed(let call, let message, let hint): return fail(call, message, hint: hint)
        case .pauseOver:
            isPaused = false
            return start()
        case .key(let key): return press(key)
        case .resized(let size):
            self.size = size
            return []
        }
    }

    /// The text in a server's row about a running call.
    func progress(of id: String) -> String? {
        running.first { $0.endpoint == id && $0.progress != nil }?.progress
    }

    mutating func note(_ word: String, _ parts: [any Fact], _ style: ScreenStyle = .plain) {
        let text = parts.map { Printable(again: $0.shown).description }.filter { !$0.isEmpty }.joined(separator: "  ")
        notes.add(TopNote(time: time, word: word, text: Printable(again: text), style: style))
    }

    private mutating func fail(_ call: TopCall, _ message: String, hint: String?) -> [TopAction] {
        guard call.isStream else {
            running.remove(call)
            let name = call.endpoint.flatMap { list.endpoints[$0]?.name } ?? "-"
            note("failed", [name, Printable(again: message)], .bad)
            if let hint { note("try", [Printable(again: hint)]) }
            return []
        }
        // Both streams fail together, and one retry restarts both.
        guard !isPaused else { return [] }
        isPaused = true
        if link != .away(message) { note("away", [Printable(again: message)], .warning) }
        link = .away(message)
        return [.pause(Self.pause)]
    }
}

extension TopState {
    mutating func press(_ key: Key) -> [TopAction] {
        if move(key) { return [] }
        switch mode {
        case .browsing: return command(key)
        case .filtering:
            type(key)
            return []
        case .help:
            mode = .browsing
            return key == .text("q") ? [.end] : []
        }
    }

    /// - Returns: false if the key does not move the choice.
    private mutating func move(_ key: Key) -> Bool {
        let page = max(1, TopLayout(size).listLines - 1)
        guard mode != .help, let steps = key.steps(page: page, letters: mode == .browsing ? .all : .none) else {
            return false
        }
        list.move(by: steps)
        return true
    }

    private mutating func type(_ key: Key) {
        switch key {
        case .enter: mode = .browsing
        case .escape:
            list.filter = ""
            mode = .browsing
        default: _ = list.filter.editFilter(key)
        }
    }

    private mutating func command(_ key: Key) -> [TopAction] {
        switch key {
        case .tab:
            let next = (Pane.allCases.firstIndex(of: pane) ?? 0) + 1
            pane = Pane.allCases[next % Pane.allCases.count]
        case .escape: list.filter = ""
        case .text("q"): return [.end]
        case .text("?"): mode = .help
        case .text("/"): mode = .filtering
        case .text("a"): list.showsHidden.toggle()
        case .text(let letter): return concern(letter)
        default: break
        }
        return []
    }

    /// Handles keys that act on the chosen server.
    private mutating func concern(_ letter: Unicode.Scalar) -> [TopAction] {
        guard let server = list.chosen else { return [] }
        switch letter {
        case "p": return begin(.probe(server.id))
        case "o": return begin(.openAdapter(server.id))
        case "h": return begin(.setHidden(server.id, !server.hidden))
        case "i": return [.ask(server.state == .conflict ? .repin(server.id) : .pin(server.id))]
        case "l": return [.ask(.logIn(server.id))]
        default: return []
        }
    }

    /// Starts a call, unless the same call is running or too many are.
    private mutating func begin(_ call: TopCall) -> [TopAction] {
        guard !running.contains(call), running.count < Self.mostCalls else { return [] }
        running.insert(call)
        return [.call(call)]
    }
}

extension TopState {
    /// - Throws: `JSONShapeError`
    mutating func take(_ reply: JSONObject, of call: TopCall) throws {
        switch call {
        case .watch: takeServers(try RegistryAPI.WatchReply(json: reply))
        case .watchAdapters: takeAdapters(try BrokerAPI.WatchReply(json: reply))
        case .probe(let id):
            running.remove(call)
            let probe = try RegistryAPI.ProbeReply(json: reply).probe
            let reason = probe.reason?.text ?? Printable("")
            note("probe", [name(of: id), "\(probe.outcome.rawValue), \(probe.milliseconds) ms", reason], probe.style)
        case .setHidden:
            // The watch stream reports the change.
            running.remove(call)
        case .openAdapter:
            running.remove(call)
            let adapter = try BrokerAPI.OpenReply(json: reply).adapter
            note("adapter", [adapter.socketPath ?? adapter.url], .good)
        }
    }

    private func name(of id: String) -> String { list.endpoints[id]?.name ?? id }

    private mutating func takeServers(_ news: RegistryAPI.WatchReply) {
        switch (news.kind, news.endpoint) {
        case (.snapshot, _):
            let all = news.endpoints ?? []
            if revision == nil {
                note("watching", ["\(Counted(all.count, "server"))"])
            } else {
                compare(with: all)
            }
            list.replaceAll(all)
        case (.removed, let endpoint?):
            list.drop(endpoint.id)
            note("removed", [endpoint.name])
        case (.added, let endpoint?), (.changed, let endpoint?): note(endpoint, after: list.put(endpoint))
        case (.resumed, _), (_, nil): break
        }
        revision = news.revision
        if case .away = link { note("back", ["the daemon answers again"], .good) }
        link = .live
    }

    /// Adds events for the differences between the old and the new list.
    private mutating func compare(with all: [RegistryAPI.Endpoint]) {
        let ids = Set(all.map(\.id))
        for gone in list.endpoints.values where !ids.contains(gone.id) { note("removed", [gone.name]) }
        for endpoint in all where list.endpoints[endpoint.id] != endpoint {
            note(endpoint, after: list.endpoints[endpoint.id])
        }
    }

    /// Adds an event for a change of a server.
    private mutating func note(_ endpoint: RegistryAPI.Endpoint, after old: RegistryAPI.Endpoint?) {
        guard let old else { return note("added", [endpoint.name, endpoint.state.rawValue, endpoint.url]) }
        if old.hidden != endpoint.hidden { return note(endpoint.hidden ? "hidden" : "unhidden", [endpoint.name]) }
        guard old.state != endpoint.state else { return note("changed", [endpoint.name, endpoint.url]) }
        note(endpoint.state.rawValue, [endpoint.name, endpoint.stateReason?.text ?? Printable("")], endpoint.style)
    }

    private mutating func takeAdapters(_ news: BrokerAPI.WatchReply) {
        if let all = news.adapters { return adapters.replaceAll(all) }
        guard let adapter = news.adapter else { return }
        let facts: [any Fact] = [adapter.endpointName ?? adapter.id, adapter.login ?? "without a login"]
        if news.kind == .ended {
            adapters.drop(adapter.id)
            note("ended", facts + [news.reason?.text ?? Printable("")])
        } else {
            adapters.put(adapter)
            note(news.kind.rawValue, facts)
        }
    }
}

extension RegistryAPI.Endpoint {
    /// The colour of its state.
    var style: ScreenStyle {
        switch state {
        case .reachable: .good
        case .unreachable: .warning
        case .conflict: .bad
        case .unknown, .announced, .stale: .plain
        }
    }
}

extension RegistryAPI.Probe {
    fileprivate var style: ScreenStyle {
        switch outcome {
        case .reachable: .good
        case .unreachable: .warning
        case .conflict: .bad
        }
    }
}

/// A running call.
final class TopTask {
    let call: TopCall
    private let pending: VarlinkPendingCall
    /// The deadline of the first reply; nil after it was received.
    private(set) var due: ContinuousClock.Instant?

    /// - Throws: `VarlinkClientError`
    init(_ call: TopCall) throws {
        self.call = call
        pending = try VarlinkPendingCall(
            path: SocketPath.ofClient(),
            method: type(of: call.request).method,
            parameters: call.request.json,
            wantsMore: call.isStream
        )
        due = .now + call.patience
    }

    var descriptor: Int32 { pending.descriptor }

    /// Passes received replies to a handler.
    ///
    /// - Returns: whether more replies may follow.
    func take(_ handle: (TopEvent) -> Void) -> Bool {
        do {
            while let reply = try pending.nextReply() {
                due = nil
                handle(.reply(call, reply))
                guard call.isStream else { return false }
            }
            guard let due, due <= .now else { return true }
            throw VarlinkClientError.deadlinePassed
        } catch {
            handle(Self.failure(of: call, error))
            return false
        }
    }

    static func failure(of call: TopCall, _ error: any Error) -> TopEvent {
        let error = (error as? VarlinkError).flatMap { DaemonError($0) } ?? error
        let failure = Failure(error)
        return .failed(call, message: failure?.message ?? "\(error)", hint: failure?.hint?.command)
    }
}

/// An event that a screen with servers handles.
enum TopEvent {
    /// A reply to a call. A stream has several.
    case reply(TopCall, JSONObject)
    /// A call failed or a stream ended. The text may contain untrusted parts, which were made printable.
    case failed(TopCall, message: String, hint: String?)
    /// The interval of `TopAction.pause` is over.
    case pauseOver
    case key(Key)
    case resized(ScreenSize)
}

/// An action in response to an event.
enum TopAction: Hashable {
    case call(TopCall)
    /// Closes the streams, and reports `TopEvent.pauseOver` after the interval.
    case pause(Duration)
    /// Leaves the screen for a dialog.
    case ask(TopQuestion)
    /// Leaves the screen to add a server.
    case add(name: String, address: String)
    /// Ends with the server of this ID, unless it needs a login and the user adds none.
    case open(String)
    /// Ends without a server.
    case end
}

/// A dialog with the user, with the ID of a server.
enum TopQuestion: Hashable {
    case pin(String)
    case repin(String)
    case logIn(String)

    var endpoint: String {
        switch self {
        case .pin(let id), .repin(let id), .logIn(let id): id
        }
    }
}

/// A line in the list of events.
struct TopNote: Equatable {
    /// The time of day.
    let time: String
    let word: String
    let text: Printable
    let style: ScreenStyle
}

/// The latest events.
struct TopNotes {
    private static let capacity = 200

    private(set) var all: [TopNote] = []

    mutating func add(_ note: TopNote) {
        if all.count == Self.capacity { all.removeFirst() }
        all.append(note)
    }
}
