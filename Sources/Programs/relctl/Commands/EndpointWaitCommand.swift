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
        abstract: "Wait until a server is discovered, is reachable, or accepts a login.",
        discussion: """
            Fails immediately if waiting cannot help: the server is not the pinned one, the login is refused or \
            missing, or the vault is locked. With --for reachable, connects to the server, at most twice a second. \
            With --for authenticated, sends the login as for an adapter, and logs out again.
            """
    )

    /// The condition to wait for. Each includes the one before, except that an added server need not be discovered.
    enum Goal: String, ExpressibleByArgument, CaseIterable {
        case discovered, reachable, authenticated
    }

    @OptionGroup var output: OutputOptions
    @Argument(
        help: "Endpoint ID or unique name, or LOGIN@ENDPOINT; need not exist yet.",
        completion: LiveNames.endpoints
    )
    var endpoint: String
    @Option(name: .customLong("for"), help: "discovered, reachable or authenticated.")
    var goal = Goal.reachable
    @Option(help: "Maximum time to wait, such as 500ms, 10s or 2m.")
    var timeout = TimeSpan(seconds: 10)
    @Option(
        help:
            "With --for authenticated: the login name; by default that of RELATIVITYD_LOGIN, the default, or the only one.",
        completion: LiveNames.logins
    )
    var login: String?

    func validate() throws {
        if login != nil, goal != .authenticated { throw ValidationError("--login requires --for authenticated") }
    }

    func run() throws {
        let end = ContinuousClock.now + timeout.duration
        let progress = output.isQuiet ? nil : Progress()
        progress?.show("waiting until '\(Printable(endpoint, columns: 30))' is \(goal.rawValue)")
        defer { progress?.clear() }
        var obstacle = "no result yet"
        while true {
            guard let found = try self.obstacle(before: end, lastly: obstacle) else {
                return try output.report(["endpoint": .string(try id()), "for": .string(goal.rawValue)])
            }
            obstacle = found
            let rest = end - ContinuousClock.now
            guard rest > .zero else {
                throw Failure(
                    .deadlinePassed,
                    "'\(Printable(endpoint))' was not \(goal.rawValue) in time: \(obstacle)",
                    hint: "relctl doctor \(endpoint)"
                )
            }
            poll(nil, 0, Self.milliseconds(of: min(pause, rest)))
        }
    }

    private func id() throws -> String {
        guard goal == .authenticated else { return try RegistryAPI.Endpoint.fetch(endpoint, DaemonClient()).id }
        return try DaemonClient().call(
            BrokerAPI.ChooseCall(endpoint: endpoint, login: login, preferredLogin: ChosenLogin.preferred)
        ).endpoint
    }

    /// Rounds up, so that the last check is not before the deadline.
    static func milliseconds(of pause: Duration) -> Int32 { Int32(clamping: Int64(pause / .milliseconds(1)) + 1) }

    /// The interval between checks: short if only the daemon's list is read, longer if the server is contacted.
    private var pause: Duration {
        switch goal {
        case .discovered: .milliseconds(100)
        case .reachable: .milliseconds(500)
        case .authenticated: .seconds(1)
        }
    }

    /// - Parameter lastly: the previous obstacle, returned if the remaining time is too short for another check.
    /// - Returns: the obstacle that may still go away; nil if the goal is reached.
    /// - Throws: an error that waiting cannot resolve.
    private func obstacle(before end: ContinuousClock.Instant, lastly: String) throws -> String? {
        // A check ends at the deadline, even if the daemon would take longer; but the last one has at least 100 ms.
        let rest = max(end - ContinuousClock.now, .milliseconds(100))
        do {
            switch goal {
            case .discovered: return try announcementMissing(within: min(rest, DaemonClient.quick))
            case .reachable: return try probe(within: min(rest, .seconds(10)))
            case .authenticated: return try logIn(within: min(rest, DaemonClient.slow))
            }
        } catch VarlinkClientError.deadlinePassed where ContinuousClock.now >= end {
            return lastly
        } catch let error as DaemonError
            where [.endpointNotFound, .endpointUnreachable, .adapterClosed].contains(error.code)
        {
            return error.message
        }
    }

    private func announcementMissing(within rest: Duration) throws -> String? {
        let record = try DaemonClient().call(RegistryAPI.GetCall(endpoint: endpoint), within: rest).endpoint
        return record.sources.isEmpty || record.state == .stale ? "no source announces it" : nil
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
        // Held by this connection, so that the adapter is closed on return.
        try DaemonClient().stream(
            BrokerAPI.OpenCall(endpoint: endpoint, login: login, preferredLogin: ChosenLogin.preferred),
            firstWithin: rest
        ) { _ in .stop
        }
        return nil
    }
}
