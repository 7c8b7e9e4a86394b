// SPDX-License-Identifier: Apache-2.0

import EventLoops
import Glibc
import LocalAPI
import Locks
import NIOCore
import NIOPosix
import Platform
import Screens
import TableBrowser

/// Shows a `Browser` in the terminal of relctl: waits for keys, signals and the results of actions.
final class BrowseLoop {
    private let screen: ScreenSession
    private let results: BrowserResults
    private let actions: BrowserActions
    private var browser: Browser
    private var end: BrowserEnd?

    /// Runs a job of the verb `browse`.
    ///
    /// - Returns: the exit status.
    static func run(_ job: DataJob) throws -> Int32 {
        let terminal = ScreenTerminal(
            input: Int32(clamping: job.browse.keysDescriptor),
            output: STDOUT_FILENO,
            kind: getenv("TERM").map { String(cString: $0) },
            hasColours: job.output.isColoured,
            hasMouse: true
        )
        guard let terminal else {
            throw DataFailure(.usage, "standard output is not a terminal with screen control")
        }
        // Before the other threads begin, which inherit that the signals are blocked.
        let screen = try ScreenSession(terminal, interruptIsKey: true)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let runner = JobRunner(job, connectionsOn: group.next())
        let actions = try BrowserActions(runner, on: group.next())
        return try BrowseLoop(screen, actions, runner.browserSettings()).run()
    }

    private init(_ screen: ScreenSession, _ actions: BrowserActions, _ settings: Browser.Settings) throws {
        (self.screen, self.actions) = (screen, actions)
        results = try BrowserResults()
        browser = Browser(settings, size: screen.terminal.size)
    }

    private func run() -> Int32 {
        screen.terminal.enter()
        defer { screen.terminal.leave() }
        carryOut(browser.start())
        while end == nil {
            screen.terminal.show(browser.lines)
            for event in screen.wait(for: [results.descriptor]) where end == nil { take(event) }
        }
        return end == .servers ? JobBrowse.serversStatus : EXIT_SUCCESS
    }

    private func take(_ event: ScreenSession.Event) {
        switch event {
        case .key(let key): handle(.key(key))
        case .resized(let size): handle(.resized(size))
        case .ready: for event in results.take() where end == nil { handle(event) }
        case .end: end = .quit
        }
    }

    private func handle(_ event: BrowserEvent) {
        carryOut(browser.handle(event))
    }

    private func carryOut(_ list: [BrowserAction]) {
        for action in list {
            switch action {
            case .end(let end): self.end = end
            case .cancel: actions.cancel()
            default: actions.start(action, results)
            }
        }
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
