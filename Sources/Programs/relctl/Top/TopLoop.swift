// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import JSON
import LocalAPI
import Platform
import Screens
import Varlink

/// The state of a screen with the daemon's servers, and its reactions to events. The screen is rendered from it alone.
protocol ServerScreen {
    var list: TopList { get }
    /// The lines of the screen, exactly as many as it has.
    var lines: [ScreenLine] { get }

    init(size: ScreenSize)

    /// The initial actions.
    func start() -> [TopAction]

    /// - Parameter time: the time of day.
    mutating func handle(_ event: TopEvent, at time: String) -> [TopAction]
}

/// Carries out the actions of a screen. Waits in one poll(2) for keys, signals and the daemon.
final class TopLoop<State: ServerScreen> {
    private let session: ScreenSession
    private let needsLogin: Bool
    private var state: State
    private var tasks: [TopTask] = []
    private var pauseEnd: ContinuousClock.Instant?
    private var isOver = false
    /// The ID of the server that was opened.
    private var opened: String?

    /// - Parameters:
    ///   - terminal: one that is not entered. It is left at the end.
    ///   - interruptIsKey: whether SIGINT is the key Ctrl-C instead of ending the process.
    ///   - needsLogin: whether the user must add a login to open a server that has none.
    /// - Throws: `PlatformError`
    init(_ terminal: ScreenTerminal, interruptIsKey: Bool = false, needsLogin: Bool = false) throws(PlatformError) {
        session = try ScreenSession(terminal, interruptIsKey: interruptIsKey)
        self.needsLogin = needsLogin
        state = State(size: terminal.size)
    }

    /// Runs until a key ends it. A signal ends the process.
    ///
    /// - Returns: the ID of the server that the user has opened; nil if the user left.
    @discardableResult
    func run() -> String? {
        // The parent process may have set SIGCHLD to SIG_IGN, which is inherited.
        signal(SIGCHLD, SIG_DFL)
        session.terminal.enter()
        defer { session.terminal.leave() }
        carryOut(state.start())
        while !isOver {
            session.terminal.show(state.lines)
            wait()
        }
        return opened
    }

    private func wait() {
        let deadline = (tasks.compactMap(\.due) + [pauseEnd].compactMap(\.self)).min()
        for event in session.wait(for: tasks.map(\.descriptor), until: deadline) where !isOver { take(event) }
        takeReplies()
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
            case .ask(let question):
                guard let server = state.list.endpoints[question.endpoint] else { break }
                talk { try TopConversation(about: server, $0).hold(question) }
            case .add(let name, let address): talk { try $0.add(name, address) }
            case .open(let id): open(id)
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

    private func open(_ id: String) {
        guard let server = state.list.endpoints[id] else { return }
        var isUsable = !needsLogin || TopConversation.hasLogin(server)
        if !isUsable { talk { isUsable = try TopConversation(about: server, $0).obtainLogin() } }
        guard isUsable else { return }
        (opened, isOver) = (id, true)
    }

    private func talk(_ dialog: (TopPrompt) throws -> Void) {
        for event in session.talk(dialog) { take(event) }
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
        try TopLoop<TopState>(terminal).run()
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
        case .openAdapter: DaemonClient.interactive
        }
    }
}
