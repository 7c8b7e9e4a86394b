// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import JSON
import LocalAPI
import Platform
import Varlink

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

struct TopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Show the servers, adapters and events on the whole terminal, and act on them by keys.",
        discussion: """
            Keys probe the chosen server, pin it, log in, open an adapter and hide it; ? tells them all, and q ends it. \
            Programs and other places than a terminal have 'relctl watch'.
            """
    )

    func run() throws {
        guard let terminal = TopTerminal(hasColours: Style.ofOutput.isColoured) else {
            throw Failure(
                .usage,
                "standard input and output are no terminal that a screen can be shown on",
                hint: "relctl watch"
            )
        }
        try TopLoop(terminal).run()
    }
}

/// A call of the daemon that `relctl top` makes. Each has a connection to itself.
enum TopCall: Hashable {
    /// Servers from a revision on, nil for all; goes on for ever.
    case watch(since: Int64?)
    /// Adapters; goes on for ever.
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

    /// The id of the server that it is about.
    var endpoint: String? {
        switch self {
        case .watch, .watchAdapters: nil
        case .probe(let id), .setHidden(let id, _), .openAdapter(let id): id
        }
    }

    /// What the server's row says meanwhile.
    var progress: String? {
        switch self {
        case .probe: "probing"
        case .openAdapter: "opening"
        case .watch, .watchAdapters, .setHidden: nil
        }
    }

    /// The call as the API has it.
    var request: any VarlinkMethodCall {
        switch self {
        case .watch(let since): RegistryAPI.WatchCall(since: since)
        case .watchAdapters: BrokerAPI.WatchCall()
        case .probe(let id): RegistryAPI.ProbeCall(endpoint: id)
        case .setHidden(let id, let isHidden): RegistryAPI.SetCall(endpoint: id, hidden: isHidden)
        case .openAdapter(let id): BrokerAPI.OpenCall(endpoint: id)
        }
    }

    /// How long its first reply may take. A daemon that has just started needs a moment to look around.
    var patience: Duration {
        switch self {
        case .watch, .watchAdapters: DaemonClient.quick
        case .probe, .setHidden: .seconds(10)
        case .openAdapter: DaemonClient.ofPerson
        }
    }
}

/// The terminal that `relctl top` has to itself while it shows its screen.
final class TopTerminal {
    private let usual: termios
    private var painter: TopPainter
    private var isEntered = false

    /// - Returns: nil where standard input and output are not both a terminal that takes control sequences.
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

    /// Takes the screen, and keys as they are pressed; those that send signals do so as ever. Repeats are harmless: who had
    /// this process stopped may have changed the terminal.
    func enter() {
        var mode = usual
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        mode.c_iflag &= ~tcflag_t(ICRNL)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
        painter.forget()
        isEntered = true
        Terminal.write(TopPainter.enter)
    }

    /// Gives everything back as it was.
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

    /// The terminal has another size.
    func forget() { painter.forget() }

    /// - Returns: empty at its end.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        return Array(buffer.prefix(max(0, count)))
    }
}

/// Tells keys from the bytes that a terminal sends for them, however these are cut.
struct TopKeyDecoder {
    private static let escape: UInt8 = 0x1B
    /// No key has a longer sequence; what goes on is dropped.
    private static let longest = 16

    private var pending: [UInt8] = []

    /// An Escape has come that may be the beginning of another key: `flush` when nothing follows soon.
    var isUndecided: Bool { !pending.isEmpty }

    /// The keys that are whole now.
    mutating func keys(for bytes: [UInt8]) -> [TopKey] { bytes.compactMap { key(after: $0) } }

    /// Nothing follows: a lone Escape is the key of this name.
    mutating func flush() -> TopKey? {
        defer { pending = [] }
        return pending == [Self.escape] ? .escape : nil
    }

    private mutating func key(after byte: UInt8) -> TopKey? {
        // Whatever was begun, an Escape begins anew.
        if byte == Self.escape {
            defer { pending = [byte] }
            return pending == [Self.escape] ? .escape : nil
        }
        pending.append(byte)
        guard pending[0] == Self.escape else { return letter() }
        guard pending.count > 1 else { return nil }
        let isSequence = pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O")
        if isSequence, pending.count == 2 { return nil }
        // Parameters are below these.
        if isSequence, !(0x40...0x7E).contains(byte), pending.count < Self.longest { return nil }
        defer { pending = [] }
        return isSequence ? Self.named[Array(pending.dropFirst(2))] : nil
    }

    private static let named: [[UInt8]: TopKey] = [
        Array("A".utf8): .up, Array("B".utf8): .down, Array("H".utf8): .home, Array("F".utf8): .end,
        Array("1~".utf8): .home, Array("7~".utf8): .home, Array("4~".utf8): .end, Array("8~".utf8): .end,
        Array("5~".utf8): .pageUp, Array("6~".utf8): .pageDown, Array("3~".utf8): .backspace,
    ]

    /// Of bytes outside of sequences, UTF-8 or keys of their own.
    private mutating func letter() -> TopKey? {
        var decoder = UTF8()
        var iterator = pending.makeIterator()
        switch decoder.decode(&iterator) {
        case .scalarValue(let scalar):
            pending = []
            return Self.key(for: scalar)
        default:
            // The first bytes of a letter that is not whole yet.
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
        case ..<0x20, 0x80..<0xA0: nil
        default: .text(scalar)
        }
    }
}

/// A key that was pressed.
enum TopKey: Hashable {
    case up, down, pageUp, pageDown, home, end
    case enter, escape, tab, backspace
    /// A letter, as it was typed; never a control character.
    case text(Unicode.Scalar)
}
