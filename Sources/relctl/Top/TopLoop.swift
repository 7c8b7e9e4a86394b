// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// Carries out what `TopState` decides: waits for keys, signals and the daemon at once, and for nothing else.
final class TopLoop {
    /// The bytes of one key follow each other faster than a person's.
    private static let keyPause = Duration.milliseconds(50)
    private static let ending = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    private let terminal: TopTerminal
    private let signals: HeldSignals
    private var state: TopState
    private var decoder = TopKeyDecoder()
    private var tasks: [TopTask] = []
    private var pauseEnd: ContinuousClock.Instant?
    private var isOver = false

    /// - Throws: `PlatformError`
    init(_ terminal: TopTerminal) throws {
        self.terminal = terminal
        signals = try HeldSignals(Self.ending + [SIGTSTP, SIGCONT, SIGWINCH, SIGCHLD])
        state = TopState(size: terminal.size)
    }

    /// Until a key or a signal ends it; the latter ends the process.
    func run() {
        // Who has started this one may ignore the ends of its programs.
        signal(SIGCHLD, SIG_DFL)
        terminal.enter()
        defer { terminal.leave() }
        carryOut(state.start())
        while !isOver {
            terminal.show(TopScreen(state))
            wait()
        }
    }

    private func wait() {
        var entries = [STDIN_FILENO, signals.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        entries += tasks.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        let ready = poll(&entries, nfds_t(entries.count), timeout)
        if entries[1].revents != 0 { while let signal = signals.next() { take(signal) } }
        if entries[0].revents != 0 { readKeys() } else if ready == 0, let key = decoder.flush() { handle(.key(key)) }
        takeReplies()
        if let end = pauseEnd, end <= .now {
            pauseEnd = nil
            handle(.pauseOver)
        }
    }

    /// For poll(2): for ever, unless something is due.
    private var timeout: Int32 {
        var waits = (tasks.compactMap(\.due) + [pauseEnd].compactMap { $0 }).map {
            ContinuousClock.now.duration(to: $0)
        }
        if decoder.isUndecided { waits.append(Self.keyPause) }
        guard let next = waits.min() else { return -1 }
        // Rounded up, so that it is due when the wait is over.
        return Int32(min(max(0, next / .milliseconds(1)), 100_000)) + 1
    }

    private func readKeys() {
        let bytes = terminal.read()
        // The terminal is gone.
        if bytes.isEmpty { isOver = true }
        for key in decoder.keys(for: bytes) where !isOver { handle(.key(key)) }
    }

    private func takeReplies() {
        // What one of them tells may end others.
        for task in tasks where tasks.contains(where: { $0 === task }) {
            let goesOn = task.take { handle($0) }
            if !goesOn { tasks.removeAll { $0 === task } }
        }
    }

    private func handle(_ event: TopEvent) { carryOut(state.handle(event, at: Self.time)) }

    private func carryOut(_ actions: [TopAction]) {
        for action in actions {
            switch action {
            case .call(let call): start(call)
            case .pause(let duration):
                tasks.removeAll { $0.call.isStream }
                pauseEnd = .now + duration
            case .ask(let question): ask(question)
            case .end: isOver = true
            }
        }
    }

    private func start(_ call: TopCall) {
        // A failure at once is what has ended the other stream too.
        guard !call.isStream || pauseEnd == nil else { return }
        do {
            tasks.append(try TopTask(call))
        } catch {
            handle(TopTask.failure(of: call, error))
        }
    }

    private func take(_ signal: Int32) {
        switch signal {
        case SIGWINCH:
            terminal.forget()
            handle(.resized(terminal.size))
        case SIGTSTP:
            terminal.leave()
            signals.take(SIGTSTP)
            resume()
        case SIGCONT: resume()
        case SIGCHLD: break
        default:
            terminal.leave()
            signals.take(signal)
            // It was ignored when this process started.
            isOver = true
        }
    }

    private func resume() {
        terminal.enter()
        handle(.resized(terminal.size))
    }

    private func ask(_ question: TopQuestion) {
        guard let server = state.list.endpoints[question.endpoint] else { return }
        terminal.leave()
        do {
            try TopConversation(about: server, TopPrompt(signals)).hold(question)
        } catch TopPrompt.Interruption.signal(let number) {
            take(number)
        } catch {
            // The person has broken it off.
        }
        resume()
    }

    private static var time: String {
        var now = time_t()
        Glibc.time(&now)
        var parts = tm()
        localtime_r(&now, &parts)
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
