// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import JSON
import LocalAPI
import Platform
import Varlink

/// Carries out the actions of `TopState`. Waits in one poll(2) for keys, signals and the daemon.
final class TopLoop {
    /// The maximum interval between the bytes of one key, which is shorter than between two key presses.
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

    /// Runs until a key ends it. A signal ends the process.
    func run() {
        // The parent process may have set SIGCHLD to SIG_IGN, which is inherited.
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
        guard let terminal = TopTerminal(hasColours: Style.ofOutput.isColoured) else {
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

/// The terminal in full-screen mode.
final class TopTerminal {
    private let usual: termios
    private var painter: TopPainter
    private var isEntered = false

    /// - Returns: nil unless standard input and output are a terminal that supports control sequences.
    init?(hasColours: Bool) {
        var mode = termios()
        guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
        let kind = getenv("TERM").map { String(cString: $0) } ?? ""
        guard !kind.isEmpty, kind != "dumb" else { return nil }
        usual = mode
        painter = TopPainter(hasColours: hasColours)
    }

    var size: TopSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TopSize(columns: 80, lines: 24)
        }
        return TopSize(columns: Int(size.ws_col), lines: Int(size.ws_row))
    }

    /// Switches to the alternate screen and to unbuffered input; keys that send signals still do. May be called
    /// repeatedly, because another process may have changed the terminal while this one was stopped.
    func enter() {
        var mode = usual
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        mode.c_iflag &= ~tcflag_t(ICRNL)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
        painter.forget()
        isEntered = true
        Terminal.write(TopPainter.enter)
    }

    /// Restores the terminal.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        Terminal.write(TopPainter.leave)
        var mode = usual
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }

    func show(_ screen: TopScreen) {
        let text = painter.update(to: screen.lines)
        if !text.isEmpty { Terminal.write(text) }
    }

    /// Redraws the whole screen at the next update, because its size has changed.
    func forget() { painter.forget() }

    /// - Returns: the bytes read; empty at end of file.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        return Array(buffer.prefix(max(0, count)))
    }
}

/// Decodes keys from the bytes of a terminal, however they are split.
struct TopKeyDecoder {
    private static let escape: UInt8 = 0x1B
    /// The maximum length of an escape sequence. Longer ones are dropped.
    private static let longest = 16

    private var pending: [UInt8] = []

    /// Whether a sequence is incomplete. A lone Escape may be a key: call `flush` if nothing follows soon.
    var isUndecided: Bool { !pending.isEmpty }

    /// The keys completed by these bytes.
    mutating func keys(for bytes: [UInt8]) -> [TopKey] { bytes.compactMap { key(after: $0) } }

    /// Ends the pending sequence: a lone Escape is the Escape key.
    mutating func flush() -> TopKey? {
        defer { pending = [] }
        return pending == [Self.escape] ? .escape : nil
    }

    private mutating func key(after byte: UInt8) -> TopKey? {
        // Escape always begins a new sequence.
        if byte == Self.escape {
            defer { pending = [byte] }
            return pending == [Self.escape] ? .escape : nil
        }
        pending.append(byte)
        guard pending[0] == Self.escape else { return letter() }
        guard pending.count > 1 else { return nil }
        let isSequence = pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O")
        if isSequence, pending.count == 2 { return nil }
        // Final bytes; parameters are below this range.
        if isSequence, !(0x40...0x7E).contains(byte), pending.count < Self.longest { return nil }
        defer { pending = [] }
        return isSequence ? Self.named[Array(pending.dropFirst(2))] : nil
    }

    private static let named: [[UInt8]: TopKey] = [
        Array("A".utf8): .up, Array("B".utf8): .down, Array("H".utf8): .home, Array("F".utf8): .end,
        Array("1~".utf8): .home, Array("7~".utf8): .home, Array("4~".utf8): .end, Array("8~".utf8): .end,
        Array("5~".utf8): .pageUp, Array("6~".utf8): .pageDown, Array("3~".utf8): .delete,
        Array("C".utf8): .right, Array("D".utf8): .left,
    ]

    /// Decodes bytes outside escape sequences: UTF-8 or control keys.
    private mutating func letter() -> TopKey? {
        var decoder = UTF8()
        var iterator = pending.makeIterator()
        switch decoder.decode(&iterator) {
        case .scalarValue(let scalar):
            pending = []
            return Self.key(for: scalar)
        default:
            // The first bytes of an incomplete UTF-8 sequence.
            let length = pending[0] >= 0xF0 ? 4 : pending[0] >= 0xE0 ? 3 : pending[0] >= 0xC0 ? 2 : 1
            if pending.count >= length { pending = [] }
            return nil
        }
    }

    private static func key(for scalar: Unicode.Scalar) -> TopKey? {
        switch scalar.value {
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        case 0x01...0x1A: .control(Unicode.Scalar(UInt8(scalar.value + 0x60)))
        case ..<0x20, 0x80..<0xA0: nil
        default: .text(scalar)
        }
    }
}

/// A key that was pressed.
enum TopKey: Hashable {
    case up, down, left, right, pageUp, pageDown, home, end
    case enter, escape, tab, backspace, delete
    /// A letter with the Control key.
    case control(Unicode.Scalar)
    /// A typed character; never a control character.
    case text(Unicode.Scalar)
}
