// SPDX-License-Identifier: Apache-2.0

import Discovery
import Endpoints
import FoundationEssentials
import Glibc
import Locks
import TestSupport

/// Runs the module Discovery on a host of a test's LAN.
///
///     discovery-probe browse TYPE...             commands: counters, check, refresh NAME, stop
///     discovery-probe publish TYPE PORT TXT...   names come as commands: + NAME, and: txt TXT..., stop
///
/// It reads commands, one per line, and exits at the end of input. It prints events as lines of `ProbeLine`.
@main
enum Probe {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let loop = try AvahiLoop()
        switch arguments.first {
        case "browse": await browse(Array(arguments.dropFirst()), on: loop)
        case "publish" where arguments.count >= 3: await publish(arguments, on: loop)
        default: exit(64)
        }
    }

    private static func browse(_ types: [String], on loop: AvahiLoop) async {
        let browser = AvahiBrowser(types: types, on: loop)
        readCommands { command in
            var line = ProbeLine(at: now())
            if command == "counters" { line.counters = dictionary(browser.counters) }
            if command == "check" { browser.checkLife() }
            if command.hasPrefix("refresh "), let type = types.first {
                let name = String(command.dropFirst("refresh ".count))
                browser.refresh(ServiceInstance(name: name, type: type, domain: "local"))
            }
            if command == "stop" {
                browser.stop()
                line.stoppedAfter = now() - line.at
            }
            print(line)
        }
        for await event in browser.events() {
            var line = ProbeLine(at: now())
            line.event = event
            print(line)
        }
        // The reader of commands ends the program.
        while true { pause() }
    }

    private static func publish(_ arguments: [String], on loop: AvahiLoop) async {
        let (started, start) = AsyncStream<AvahiPublisher>.makeStream()
        let publishers = Lock<[AvahiPublisher]>([])
        readCommands { command in
            let words = command.split(separator: " ").map(String.init)
            if command.hasPrefix("+ ") {
                let announcement = Announcement(
                    name: String(command.dropFirst(2)).replacing("\\n", with: "\n"),
                    type: arguments[1],
                    port: UInt16(arguments[2]) ?? 0,
                    txt: arguments[3...].map { Array($0.utf8) }
                )
                let publisher = AvahiPublisher(announcement, on: loop)
                publishers.withLock { $0.append(publisher) }
                start.yield(publisher)
            } else if words.first == "txt" {
                publishers.withLock { $0 }.forEach { $0.update(txt: words.dropFirst().map { Array($0.utf8) }) }
            } else if command == "stop" {
                publishers.withLock { $0 }.forEach { $0.stop() }
            }
        }
        await withDiscardingTaskGroup { group in
            for await publisher in started {
                group.addTask {
                    for await state in publisher.start() {
                        var line = ProbeLine(at: now())
                        switch state {
                        case .published(let name): line.published = name
                        case .unpublished(let fault): line.unpublished = fault.code.rawValue
                        }
                        print(line)
                    }
                }
            }
        }
    }

    /// Calls `body` on a separate thread with every line of standard input, and exits after the last.
    private static func readCommands(_ body: @escaping @Sendable (String) -> Void) {
        let reader = LineReader(body)
        var thread = pthread_t()
        pthread_create(
            &thread,
            nil,
            { userdata in
                if let userdata { Unmanaged<LineReader>.fromOpaque(userdata).takeRetainedValue().run() }
                exit(0)
            },
            Unmanaged.passRetained(reader).toOpaque()
        )
    }

    private static func print(_ line: ProbeLine) {
        guard var bytes = try? JSONEncoder().encode(line) else { return }
        bytes.append(0x0A)
        // One write, so that the lines of two threads do not mix.
        _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }

    private static func dictionary(_ counters: DiscoveryCounters) -> [String: Int]? {
        (try? JSONEncoder().encode(counters)).flatMap { try? JSONDecoder().decode([String: Int].self, from: $0) }
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}

private final class LineReader: Sendable {
    private let body: @Sendable (String) -> Void

    init(_ body: @escaping @Sendable (String) -> Void) { self.body = body }

    func run() {
        while let line = readLine() { body(line) }
    }
}
