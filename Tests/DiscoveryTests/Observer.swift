// SPDX-License-Identifier: Apache-2.0

import Endpoints
import FoundationEssentials
import TestSupport
import Testing

/// A `discovery-probe` on a host of the LAN, and its output.
final class Observer {
    let lan: LAN
    private let child: ChildProcess
    private let lines: AsyncStream<String>
    /// The lines so far, up to the position of the test.
    private(set) var heard: [ProbeLine] = []
    /// The current sightings according to the events.
    private(set) var sightings: [Sighting.Key: Sighting] = [:]

    init(browsing types: [String], on host: Int, of lan: LAN) throws {
        self.lan = lan
        child = try lan.start(on: host, [Products.path(of: "discovery-probe"), "browse"] + types)
        lines = child.outputLines(silence: .seconds(30))
    }

    init(publishing names: [String], _ type: String, _ port: Int, txt: [String], on host: Int, of lan: LAN) throws {
        self.lan = lan
        child = try lan.start(
            on: host,
            [Products.path(of: "discovery-probe"), "publish", type, String(port)] + txt
        )
        lines = child.outputLines(silence: .seconds(30))
        for name in names { child.write("+ \(name)\n") }
    }

    deinit {
        child.closeInput()
        child.signal(15)
    }

    func tell(_ command: String) {
        child.write(command + "\n")
    }

    /// Reads until `condition` holds for a line. Fails after 30 s without a line.
    @discardableResult
    func wait(until condition: (ProbeLine) -> Bool) async throws -> ProbeLine {
        for await text in lines {
            let line = try JSONDecoder().decode(ProbeLine.self, from: Data(text.utf8))
            heard.append(line)
            apply(line.event)
            if condition(line) { return line }
        }
        Issue.record("the probe ended; it said last: \(heard.suffix(5))")
        throw NotInTime(seconds: 0)
    }

    /// Reads until the sighting with this port is reported, and returns it.
    @discardableResult
    func awaitSighting(_ condition: (Sighting) -> Bool) async throws -> (at: Double, sighting: Sighting) {
        var found: Sighting?
        let line = try await wait {
            if case .sighted(let sighting) = $0.event, condition(sighting) { found = sighting }
            return found != nil
        }
        return (line.at, try #require(found))
    }

    @discardableResult
    func wait(for event: SightingEvent) async throws -> Double {
        try await wait { $0.event == event }.at
    }

    @discardableResult
    func awaitDown() async throws -> SourceFault.Code {
        var found: SourceFault?
        try await wait {
            if case .source(.down(let fault)) = $0.event { found = fault }
            return found != nil
        }
        return found?.code ?? .notStarted
    }

    /// Reads until `settled` is reported after the last `up`.
    func awaitSettled() async throws {
        let last = heard.last { $0.event == .settled || $0.event == .source(.up) }
        if last?.event != .settled { try await wait(for: .settled) }
    }

    /// Requests one of the browser's counters.
    func counter(_ name: String) async throws -> Int {
        tell("counters")
        let line = try await wait { $0.counters != nil }
        return line.counters?[name] ?? -1
    }

    /// Stops the browser.
    ///
    /// - Returns: the duration of the call in milliseconds.
    func stop() async throws -> Double {
        tell("stop")
        let line = try await wait { $0.stoppedAfter != nil }
        return line.stoppedAfter ?? .infinity
    }

    private func apply(_ event: SightingEvent?) {
        switch event {
        case .sighted(let sighting): sightings[sighting.key] = sighting
        case .vanished(let key): sightings[key] = nil
        case .source(.down): sightings = [:]
        case .source(.up), .settled, .lost, nil: break
        }
    }
}
