// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

/// All that `relctl top` knows, and what it does about what happens. Its screen is drawn from this alone.
struct TopState {
    enum Link: Equatable {
        case connecting
        case live
        /// Why; the list is the last one that was heard.
        case away(String)
    }

    /// What the lower part of the screen shows.
    enum Pane: CaseIterable { case events, adapters, server }

    enum Mode { case browsing, filtering, help }

    /// Between two attempts to reach a daemon that is away.
    static let pause = Duration.seconds(1)
    static let mostCalls = 16

    var size: TopSize
    var link = Link.connecting
    /// Nothing is tried until `pauseOver`.
    private var isPaused = false
    var list = TopList()
    var adapters = TopAdapters()
    var notes = TopNotes()
    var pane = Pane.events
    var mode = Mode.browsing
    /// Of the last change that was heard.
    var revision: Int64?
    /// Calls under way that are about one server.
    var running: Set<TopCall> = []
    /// What the clock on the wall shows at the event that is being handled.
    private var time = ""

    init(size: TopSize) {
        self.size = size
    }

    /// What there is to do at first.
    func start() -> [TopAction] { [.call(.watch(since: revision)), .call(.watchAdapters)] }

    /// - Parameter time: as on a clock on the wall, for what is noted.
    mutating func handle(_ event: TopEvent, at time: String) -> [TopAction] {
        self.time = time
        defer { list.scroll(rows: TopLayout(size).listLines) }
        switch event {
        case .reply(let call, let reply):
            do {
                try take(reply, of: call)
                return []
            } catch {
                return fail(call, "the daemon's answer is not of this version: \(error)", hint: "relctl version")
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

    /// What a server's row says of what is being done with it.
    func progress(of id: String) -> String? {
        running.first { $0.endpoint == id && $0.progress != nil }?.progress
    }

    mutating func note(_ word: String, _ parts: [any Fact], _ tone: TopNote.Tone = .plain) {
        let text = parts.map { $0.printable.description }.filter { !$0.isEmpty }.joined(separator: "  ")
        notes.add(TopNote(time: time, word: word, text: Printable(again: text), tone: tone))
    }

    private mutating func fail(_ call: TopCall, _ message: String, hint: String?) -> [TopAction] {
        guard call.isStream else {
            running.remove(call)
            let name = call.endpoint.flatMap { list.endpoints[$0]?.name } ?? "-"
            note("failed", [name, Printable(again: message)], .bad)
            if let hint { note("try", [Printable(again: hint)]) }
            return []
        }
        // Both streams end with the daemon, and one attempt is for both.
        guard !isPaused else { return [] }
        isPaused = true
        if link != .away(message) { note("away", [Printable(again: message)], .warning) }
        link = .away(message)
        return [.pause(Self.pause)]
    }
}
