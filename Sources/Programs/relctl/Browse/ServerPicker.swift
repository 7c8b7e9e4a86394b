// SPDX-License-Identifier: Apache-2.0

import Glibc
import LocalAPI
import Platform
import Screens

/// The list of servers on the full screen, from which the user chooses one. Carries out the actions of
/// `ServerPickerState`.
final class ServerPicker {
    private let session: ScreenSession
    private let needsLogin: Bool
    private var state: ServerPickerState
    private var stream: TopTask?
    private var pauseEnd: ContinuousClock.Instant?
    private var isOver = false
    private var chosen: String?

    /// Shows the servers until the user chooses one or leaves. A signal ends the process.
    ///
    /// - Parameters:
    ///   - terminal: one that is not entered. It is left at the end.
    ///   - needsLogin: whether the user must add a login to choose a server that has none.
    /// - Returns: the ID of the server; nil if the user leaves.
    /// - Throws: `PlatformError`
    static func choose(_ terminal: ScreenTerminal, needsLogin: Bool) throws -> String? {
        // Whatever follows can be interrupted again.
        defer { RunningProgram.releaseSignals() }
        return try ServerPicker(terminal, needsLogin).run()
    }

    private init(_ terminal: ScreenTerminal, _ needsLogin: Bool) throws(PlatformError) {
        session = try ScreenSession(terminal, interruptIsKey: true)
        self.needsLogin = needsLogin
        state = ServerPickerState(size: terminal.size)
    }

    private func run() -> String? {
        // The parent process may have set SIGCHLD to SIG_IGN, which is inherited.
        signal(SIGCHLD, SIG_DFL)
        session.terminal.enter()
        defer { session.terminal.leave() }
        carryOut(state.start())
        while !isOver {
            session.terminal.show(ServerPickerScreen(state).lines)
            wait()
        }
        return chosen
    }

    private func wait() {
        let deadline = [stream?.due, pauseEnd].compactMap(\.self).min()
        for event in session.wait(for: [stream?.descriptor].compactMap(\.self), until: deadline) where !isOver {
            take(event)
        }
        if let stream, !stream.take({ self.take($0) }), self.stream === stream { self.stream = nil }
        if let end = pauseEnd, end <= .now {
            pauseEnd = nil
            handle(.pauseOver)
        }
    }

    private func take(_ event: ScreenSession.Event) {
        switch event {
        case .key(let key): handle(.key(key))
        case .resized(let size): handle(.resized(size))
        case .ready: break
        case .end: isOver = true
        }
    }

    private func take(_ event: TopEvent) {
        switch event {
        case .reply(_, let reply): handle(.reply(reply))
        case .failed(_, let message, _): handle(.failed(message))
        case .pauseOver, .key, .resized: break
        }
    }

    private func handle(_ event: ServerPickerEvent) { carryOut(state.handle(event)) }

    private func carryOut(_ actions: [ServerPickerAction]) {
        for action in actions {
            switch action {
            case .watch(let revision): watch(since: revision)
            case .pause(let duration):
                stream = nil
                pauseEnd = .now + duration
            case .add(let name, let address): talk { try add(name, address, $0) }
            case .open(let id): open(id)
            case .leave: isOver = true
            }
        }
    }

    private func watch(since revision: Int64?) {
        let call = TopCall.watch(since: revision)
        do {
            stream = try TopTask(call)
        } catch {
            take(TopTask.failure(of: call, error))
        }
    }

    private func open(_ id: String) {
        guard let server = state.list.endpoints[id] else { return }
        var isUsable = !needsLogin || TopConversation.hasLogin(server)
        if !isUsable { talk { isUsable = try TopConversation(about: server, $0).obtainLogin() } }
        guard isUsable else { return }
        (chosen, isOver) = (id, true)
    }

    private func add(_ name: String, _ address: String, _ prompt: TopPrompt) throws {
        Terminal.write("\n")
        var isAdded = false
        try prompt.attempt { isAdded = try prompt.run(["add", "--", name, address]) == 0 }
        if !isAdded { try prompt.waitForEnter() }
    }

    private func talk(_ dialog: (TopPrompt) throws -> Void) {
        for event in session.talk(dialog) { take(event) }
    }
}
