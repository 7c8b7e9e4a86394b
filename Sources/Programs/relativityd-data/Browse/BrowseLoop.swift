// SPDX-License-Identifier: Apache-2.0

import DataJobs
import EventLoops
import Glibc
import Locks
import NIOCore
import NIOPosix
import Platform
import Screens
import TableBrowser

/// Shows a `Browser` in the terminal of relctl. Waits in one poll(2) for keys, signals and the results of actions.
final class BrowseLoop {
    /// The maximum interval between the bytes of one key.
    private static let keyPause: Int32 = 50
    private static let ending = [SIGHUP, SIGQUIT, SIGTERM]

    private let terminal: ScreenTerminal
    private let signals: HeldSignals
    private let results: BrowserResults
    private let actions: BrowserActions
    private var browser: Browser
    private var decoder = KeyDecoder()
    private var end: BrowserEnd?

    /// Runs a job of the verb `browse`.
    ///
    /// - Returns: the exit status.
    static func run(_ job: DataJob) throws -> Int32 {
        // Before the other threads begin, which inherit that the signals are blocked.
        let signals = try HeldSignals(ending + [SIGINT, SIGTSTP, SIGCONT, SIGWINCH])
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let actions = BrowserActions(JobRunner(job, connectionsOn: group.next()), on: group.next())
        return try BrowseLoop(job, signals, actions).run()
    }

    private init(_ job: DataJob, _ signals: HeldSignals, _ actions: BrowserActions) throws {
        guard
            let terminal = ScreenTerminal(
                input: Int32(clamping: job.browse.keysDescriptor),
                output: STDOUT_FILENO,
                kind: getenv("TERM").map { String(cString: $0) },
                hasColours: job.output.isColoured
            )
        else { throw JobFailure(.usage, "standard output is not a terminal with screen control") }
        (self.terminal, self.signals, self.actions) = (terminal, signals, actions)
        results = try BrowserResults()
        browser = Browser(try actions.runner.browserSettings(), size: terminal.size)
    }

    private func run() -> Int32 {
        terminal.enter()
        defer { terminal.leave() }
        carryOut(browser.start())
        while end == nil {
            terminal.show(browser.lines)
            wait()
        }
        return end == .servers ? JobBrowse.serversStatus : EXIT_SUCCESS
    }

    private func wait() {
        var entries = [terminal.input, signals.descriptor, results.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let ready = poll(&entries, nfds_t(entries.count), decoder.isUndecided ? Self.keyPause : -1)
        if entries[1].revents != 0 { while let signal = signals.next() { take(signal) } }
        if entries[0].revents != 0 {
            readKeys()
        } else if ready == 0, let key = decoder.flush() {
            handle(.key(key))
        }
        if entries[2].revents != 0 { for event in results.take() { handle(event) } }
    }

    private func readKeys() {
        let bytes = terminal.read()
        // The terminal was closed.
        if bytes.isEmpty { end = .quit }
        for key in decoder.keys(for: bytes) where end == nil { handle(.key(key)) }
    }

    private func handle(_ event: BrowserEvent) { carryOut(browser.handle(event)) }

    private func carryOut(_ list: [BrowserAction]) {
        for action in list {
            switch action {
            case .end(let end): self.end = end
            case .cancel: actions.cancel()
            default: actions.start(action, results)
            }
        }
    }

    private func take(_ signal: Int32) {
        switch signal {
        case SIGINT: handle(.key(.control("c")))
        case SIGWINCH:
            terminal.forget()
            handle(.resized(terminal.size))
        case SIGTSTP:
            terminal.leave()
            signals.take(SIGTSTP)
            resume()
        case SIGCONT: resume()
        default:
            terminal.leave()
            signals.take(signal)
            // Reached only if the signal was ignored when this process started.
            end = .quit
        }
    }

    private func resume() {
        terminal.enter()
        handle(.resized(terminal.size))
    }
}

/// The events of actions, from their thread to the one that polls.
final class BrowserResults: Sendable {
    /// A descriptor for poll(2). It is readable when `take` has events.
    let descriptor: Int32
    private let writer: Int32
    private let events = Lock<[BrowserEvent]>([])

    /// - Throws: `PlatformError.system`
    init() throws(PlatformError) {
        var ends: [Int32] = [-1, -1]
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
            throw .system(call: "socketpair", subject: "", errno: errno)
        }
        (descriptor, writer) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writer)
    }

    func put(_ event: BrowserEvent) {
        events.withLock { $0.append(event) }
        // A full socket is readable, too.
        var byte: UInt8 = 0
        _ = write(writer, &byte, 1)
    }

    func take() -> [BrowserEvent] {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) > 0 {}
        return events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
