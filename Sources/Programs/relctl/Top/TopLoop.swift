// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import JSON
import LocalAPI
import Platform
import Screens
import Varlink

/// Carries out the actions of `TopState`. Waits in one poll(2) for keys, signals and the daemon.
final class TopLoop {
    /// The maximum interval between the bytes of one key, which is shorter than between two key presses.
    private static let keyPause = Duration.milliseconds(50)
    private static let ending = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    private let terminal: ScreenTerminal
    private let signals: HeldSignals
    private var state: TopState
    private var decoder = KeyDecoder()
    private var tasks: [TopTask] = []
    private var pauseEnd: ContinuousClock.Instant?
    private var isOver = false

    /// - Throws: `PlatformError`
    init(_ terminal: ScreenTerminal) throws {
        self.terminal = terminal
        signals = try HeldSignals(Self.ending + [SIGTSTP, SIGCONT, SIGWINCH, SIGCHLD])
        state = TopState(size: terminal.size)
    }

    /// Runs until a key ends it. A signal ends the process.
    func run() {
        // The parent process may have set SIGCHLD to SIG_IGN, which is inherited.
        signal(SIGCHLD, SIG_DFL)
        terminal.enter()
        defer { terminal.leave() }
        carryOut(state.start())
        while !isOver {
            terminal.show(TopScreen(state).lines)
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

    /// The timeout for poll(2); infinite if nothing is due.
    private var timeout: Int32 {
        var waits = (tasks.compactMap(\.due) + [pauseEnd].compactMap { $0 }).map {
            ContinuousClock.now.duration(to: $0)
        }
        if decoder.isUndecided { waits.append(Self.keyPause) }
        guard let next = waits.min() else { return -1 }
        // Rounded up, so that the deadline has passed when poll(2) returns.
        return Int32(min(max(0, next / .milliseconds(1)), 100_000)) + 1
    }

    private func readKeys() {
        let bytes = terminal.read()
        // The terminal was closed.
        if bytes.isEmpty { isOver = true }
        for key in decoder.keys(for: bytes) where !isOver { handle(.key(key)) }
    }

    private func takeReplies() {
        // An event of one task may remove others.
        for task in tasks where tasks.contains(where: { $0 === task }) {
            let goesOn = task.take { handle($0) }
            if !goesOn { tasks.removeAll { $0 === task } }
        }
    }

    private func handle(_ event: TopEvent) { carryOut(state.handle(event, at: Moment.now.clock)) }

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
        // The failure that ended the other stream also prevents this one.
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
            // Reached only if the signal was ignored when this process started.
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
            // The user has cancelled.
        }
        resume()
    }
}

struct TopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Show servers, adapters and events on the full screen, with keys for actions.",
        discussion: """
            Keys probe the chosen server, pin it, log in, open an adapter and hide it; ? lists all keys, and q quits. \
            Without a terminal, use 'relctl watch'.
            """
    )

    func run() throws {
        guard let terminal = ScreenTerminal.ofProcess() else {
            throw Failure(
                .usage,
                "standard input and output are not a terminal with screen control",
                hint: "relctl watch"
            )
        }
        try TopLoop(terminal).run()
    }
}

/// A call to the daemon. Each has its own connection.
enum TopCall: Hashable {
    /// A stream of servers, from a revision on; nil for all.
    case watch(since: Int64?)
    /// A stream of adapters.
    case watchAdapters
    case probe(String)
    case setHidden(String, Bool)
    case openAdapter(String)

    var isStream: Bool {
        switch self {
        case .watch, .watchAdapters: true
        case .probe, .setHidden, .openAdapter: false
        }
    }

    /// The ID of the server concerned.
    var endpoint: String? {
        switch self {
        case .watch, .watchAdapters: nil
        case .probe(let id), .setHidden(let id, _), .openAdapter(let id): id
        }
    }

    /// The text in the server's row during the call.
    var progress: String? {
        switch self {
        case .probe: "probing"
        case .openAdapter: "opening"
        case .watch, .watchAdapters, .setHidden: nil
        }
    }

    /// The call in the types of the API.
    var request: any VarlinkMethodCall {
        switch self {
        case .watch(let since): RegistryAPI.WatchCall(since: since)
        case .watchAdapters: BrokerAPI.WatchCall()
        case .probe(let id): RegistryAPI.ProbeCall(endpoint: id)
        case .setHidden(let id, let isHidden): RegistryAPI.SetCall(endpoint: id, hidden: isHidden)
        case .openAdapter(let id): BrokerAPI.OpenCall(endpoint: id)
        }
    }

    /// The timeout of the first reply. A daemon that has just started needs a moment for discovery.
    var patience: Duration {
        switch self {
        case .watch, .watchAdapters: DaemonClient.quick
        case .probe, .setHidden: .seconds(10)
        case .openAdapter: DaemonClient.ofPerson
        }
    }
}
