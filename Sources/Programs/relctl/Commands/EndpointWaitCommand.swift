// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform
import Varlink

struct EndpointWaitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until a server is there, answers, or lets a login in.",
        discussion: """
            Ends at once where waiting cannot help: another server than the pinned one, a login that is refused or \
            missing, a locked vault. With --for reachable the server is connected to, twice a second at most; with \
            --for authenticated the login goes out as for an adapter, and is logged out again.
            """
    )

    /// What is waited for; each includes the one before, but that a server which was added need not be discovered.
    enum Goal: String, ExpressibleByArgument, CaseIterable {
        case discovered, reachable, authenticated
    }

    @OptionGroup var output: OutputOptions
    @Argument(
        help: "The id of an endpoint, or a name that only one has; it need not exist yet.",
        completion: LiveNames.endpoints
    )
    var endpoint: String
    @Option(name: .customLong("for"), help: "discovered, reachable or authenticated.")
    var goal = Goal.reachable
    @Option(help: "How long to wait at most, as in 500ms, 10s, 2m.")
    var timeout = TimeSpan(seconds: 10)
    @Option(
        help: "With --for authenticated: the name of a login, where the endpoint has several.",
        completion: LiveNames.logins
    )
    var login: String?

    func validate() throws {
        if login != nil, goal != .authenticated { throw ValidationError("--login goes with --for authenticated") }
    }

    func run() throws {
        let end = ContinuousClock.now + timeout.duration
        let progress = output.isQuiet ? nil : Progress()
        progress?.show("waiting until '\(Printable(endpoint, columns: 30))' is \(goal.rawValue)")
        defer { progress?.clear() }
        var obstacle = "nothing has come back yet"
        while true {
            guard let found = try self.obstacle(before: end, lastly: obstacle) else {
                return try output.tell(["endpoint": .string(try id()), "for": .string(goal.rawValue)])
            }
            obstacle = found
            let rest = end - ContinuousClock.now
            guard rest > .zero else {
                throw Failure(
                    .deadlinePassed,
                    "'\(Printable(endpoint))' is not \(goal.rawValue) within the time: \(obstacle)",
                    hint: "relctl doctor \(endpoint)"
                )
            }
            poll(nil, 0, Self.milliseconds(of: min(pause, rest)))
        }
    }

    private func id() throws -> String { try RegistryAPI.Endpoint.fetch(endpoint, DaemonClient()).id }

    /// Rounded up, so that the last look is not before the end.
    static func milliseconds(of pause: Duration) -> Int32 { Int32(clamping: Int64(pause / .milliseconds(1)) + 1) }

    /// Between two looks: what only reads the daemon's list is looked at often, what asks a server seldom.
    private var pause: Duration {
        switch goal {
        case .discovered: .milliseconds(100)
        case .reachable: .milliseconds(500)
        case .authenticated: .seconds(1)
        }
    }

    /// - Parameter lastly: what stood in the way before, for a look that the time is too short for.
    /// - Returns: what stands in the way now, and may go away; nil when there is nothing.
    /// - Throws: what will not go away by waiting.
    private func obstacle(before end: ContinuousClock.Instant, lastly: String) throws -> String? {
        // No look outlasts the wait, however long the daemon would take for it; but the last one has a moment.
        let rest = max(end - ContinuousClock.now, .milliseconds(100))
        do {
            switch goal {
            case .discovered: return try announcementMissing(within: min(rest, DaemonClient.quick))
            case .reachable: return try probe(within: min(rest, .seconds(10)))
            case .authenticated: return try logIn(within: min(rest, DaemonClient.slow))
            }
        } catch VarlinkClientError.deadlinePassed where ContinuousClock.now >= end {
            return lastly
        } catch DaemonError.endpointNotFound(let error) {
            return error.message
        } catch DaemonError.endpointUnreachable(let error) {
            return error.message
        } catch DaemonError.adapterClosed(let error) {
            return error.message
        }
    }

    private func announcementMissing(within rest: Duration) throws -> String? {
        let record = try DaemonClient().call(RegistryAPI.GetCall(endpoint: endpoint), within: rest).endpoint
        return record.sources.isEmpty || record.state == .stale ? "no source sees it" : nil
    }

    private func probe(within rest: Duration) throws -> String? {
        let probe = try DaemonClient().call(RegistryAPI.ProbeCall(endpoint: endpoint), within: rest).probe
        switch probe.outcome {
        case .reachable: return nil
        case .unreachable: return probe.why.description
        case .conflict: throw EndpointProbeCommand.conflict(endpoint, probe)
        }
    }

    private func logIn(within rest: Duration) throws -> String? {
        // Held, so that it ends here.
        try DaemonClient().stream(BrokerAPI.OpenCall(endpoint: endpoint, login: login), firstWithin: rest) { _ in .stop
        }
        return nil
    }
}
