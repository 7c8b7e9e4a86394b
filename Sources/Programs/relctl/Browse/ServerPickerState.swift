// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Screens

/// The state of the list of servers from which the user chooses one.
struct ServerPickerState: ServerScreen {
    /// The line that is typed.
    enum Question: Hashable {
        /// A text that shown servers have.
        case filter
        /// The address of a new server.
        case address
        /// The name of the server at an address.
        case name(address: String)
    }

    private(set) var size: ScreenSize
    private(set) var list = TopList()
    private(set) var question = Question.filter
    private(set) var line = LineEditor()
    private(set) var link = TopState.Link.connecting
    /// The revision of the last change received; nil before the first list.
    private(set) var revision: Int64?
    /// The name of a new server, which is chosen as soon as it is in the list.
    private var wanted: String?

    init(size: ScreenSize) {
        self.size = size
    }

    var lines: [ScreenLine] { ServerPickerScreen(self).lines }

    func start() -> [TopAction] { [.call(.watch(since: revision))] }

    mutating func handle(_ event: TopEvent, at _: String) -> [TopAction] {
        defer { list.scroll(rows: ServerPickerScreen.rows(size)) }
        switch event {
        case .key(let key):
            wanted = nil
            return question == .filter ? choose(key) : answer(key)
        case .resized(let size):
            self.size = size
            return []
        case .reply(_, let reply):
            do {
                take(try RegistryAPI.WatchReply(json: reply))
                return []
            } catch {
                return fail("the daemon's reply does not fit this version: \(error)")
            }
        case .failed(_, let message, _): return fail(message)
        case .pauseOver: return start()
        }
    }

    private mutating func fail(_ message: String) -> [TopAction] {
        link = .away(message)
        return [.pause(TopState.pause)]
    }

    private mutating func take(_ news: RegistryAPI.WatchReply) {
        (link, revision) = (.live, news.revision)
        switch (news.kind, news.endpoint) {
        case (.snapshot, _): list.replaceAll(news.endpoints ?? [])
        case (.removed, let endpoint?): list.drop(endpoint.id)
        case (.added, let endpoint?), (.changed, let endpoint?): list.put(endpoint)
        case (.resumed, _), (_, nil): break
        }
        guard let wanted, let new = list.endpoints.values.first(where: { $0.name == wanted }) else { return }
        list.choose(new.id)
    }

    /// Handles a key of the list. All keys that do not move the choice edit the filter.
    private mutating func choose(_ key: Key) -> [TopAction] {
        let rows = ServerPickerScreen.rows(size)
        if let steps = key.steps(page: max(1, rows - 1)) {
            list.move(by: steps)
            return []
        }
        switch key {
        case .escape, .control("c"): return [.end]
        case .enter: return list.chosen.map { [.open($0.id)] } ?? []
        case .click(_, let line):
            let row = line - ServerPickerScreen.headLines
            let visible = list.visible(rows)
            guard visible.indices.contains(row) else { return [] }
            list.choose(visible[row].id)
            return [.open(visible[row].id)]
        case .text("+"), .insert: ask(.address)
        default:
            _ = line.handle(key)
            list.filter = String(String.UnicodeScalarView(line.text))
        }
        return []
    }

    /// Handles a key of the questions about a new server.
    private mutating func answer(_ key: Key) -> [TopAction] {
        if key == .escape {
            ask(.filter)
            return []
        }
        switch line.handle(key) {
        case .abandoned, .ended: ask(.filter)
        case .edited, .wantsCompletion: break
        case .accepted(let text):
            let text = text.split(separator: " ").joined(separator: " ")
            guard case .name(let address) = question else {
                ask(text.isEmpty ? .filter : .name(address: text))
                if !text.isEmpty { line.complete(0, with: Self.host(of: text)) }
                return []
            }
            guard !text.isEmpty else { return [] }
            ask(.filter)
            wanted = text
            return [.add(name: text, address: address)]
        }
        return []
    }

    private mutating func ask(_ question: Question) {
        self.question = question
        line = LineEditor()
        list.filter = ""
    }

    /// The host of a host, HOST:PORT or URL, which is proposed as the name.
    private static func host(of address: String) -> String {
        let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
        let rest = address[start...].prefix { $0 != "/" }
        if rest.hasPrefix("[") { return String(rest.dropFirst().prefix { $0 != "]" }) }
        // An IPv6 address has several colons.
        return String(rest.count { $0 == ":" } == 1 ? rest.prefix { $0 != ":" } : rest)
    }
}
