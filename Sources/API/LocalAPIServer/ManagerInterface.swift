// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import Glibc
import LocalAPI
import Locks
import NIOCore
import Platform
import Registry
import VarlinkService

/// The interface `org.relativityd.Manager`.
struct ManagerInterface: ManagerAPIServer {
    let services: LocalServices
    let facts: DaemonFacts
    let usage: APIUsage

    /// The interface's description explains the values.
    private static let capabilities = ["http", "metrics", "watch-since", "interactive", "confirm", "configuration"]

    func getStatus(_ call: TypedCall<ManagerAPI.GetStatusCall>) async throws {
        call.reply(.init(status: await status))
    }

    func getCapabilities(_ call: TypedCall<ManagerAPI.GetCapabilitiesCall>) async throws {
        call.reply(.init(version: ProjectVersion.text, capabilities: Self.capabilities))
    }

    func getMetrics(_ call: TypedCall<ManagerAPI.GetMetricsCall>) async throws {
        call.reply(.init(metrics: await metrics))
    }

    func getConfiguration(_ call: TypedCall<ManagerAPI.GetConfigurationCall>) async throws {
        call.reply(await facts.configuration())
    }

    /// The problems of the list, the vault, its memory and the audit log.
    private func notes(_ vault: VaultStatus) async -> [ManagerAPI.Note] {
        var notes: [ManagerAPI.Note] = []
        if let reason = await services.registry.unsavedReason {
            notes.append(ManagerAPI.Note(code: .listNotSaved, detail: reason))
        }
        if let fault = vault.fault { notes.append(ManagerAPI.Note(code: .vaultUnusable, detail: "\(fault)")) }
        if let suspicion = vault.anchor?.suspicion {
            notes.append(ManagerAPI.Note(code: .vaultSuspected, detail: "\(suspicion)"))
        }
        if let shortfall = vault.memoryShortfall, shortfall.isSwappable {
            notes.append(ManagerAPI.Note(code: .secretsSwappable, detail: shortfall.reasons))
        }
        if let losses = services.store.audit?.losses {
            if losses.events > 0 { notes.append(ManagerAPI.Note(code: .auditEventsLost, count: Int64(losses.events))) }
            if let failure = losses.failure {
                notes.append(ManagerAPI.Note(code: .auditNotWritten, detail: "\(failure)"))
            }
        }
        return notes
    }

    private var status: ManagerAPI.Status {
        get async {
            let vault = await services.store.status
            let counters = await services.registry.counters
            let notes = await facts.notes() + notes(vault)
            return ManagerAPI.Status(
                version: ProjectVersion.text,
                pid: Int64(getpid()),
                uptimeSeconds: (NIODeadline.now() - facts.started).nanoseconds / 1_000_000_000,
                sources: await services.registry.sourceStatus,
                multicastInterfaces: facts.multicastInterfaces(),
                endpoints: Int64(await services.registry.endpointCount),
                droppedSightings: Int64(clamping: counters.dropped),
                malformedSightings: Int64(clamping: counters.malformed),
                cutSightings: Int64(clamping: counters.cut),
                evictedEndpoints: Int64(clamping: counters.evicted),
                foldedChanges: Int64(clamping: counters.folded),
                refusedAddresses: Int64(facts.refusedAddresses()),
                vault: vault.state,
                logins: vault.loginCount.map { Int64($0) },
                sessions: Int64(await services.broker.sessionCount),
                adapters: Int64(await services.broker.openAdapters.count),
                notes: notes
            )
        }
    }
}

extension ManagerInterface {
    /// The reply to `Manager.GetMetrics`. Labels are enum values and names of sources from the configuration. No other
    /// host can choose a label, so the number of samples is bounded.
    var metrics: String {
        get async {
            var text = MetricsText()
            text.add(
                .gauge,
                "info",
                "Version of the daemon; always 1.",
                samples: [(["version": ProjectVersion.text], 1)]
            )
            let uptime = (NIODeadline.now() - facts.started).nanoseconds / 1_000_000_000
            text.add(.gauge, "uptime_seconds", "Seconds since the daemon started.", Int(uptime))
            await addRegistry(to: &text)
            await addVault(to: &text)
            await addBroker(to: &text)
            addAPI(to: &text)
            return text.text
        }
    }

    private func addRegistry(to text: inout MetricsText) async {
        let sources = await services.registry.sourceStatus
        text.add(
            .gauge,
            "source_up",
            "Whether a source of sightings works.",
            samples: sources.map { (["source": $0.name], $0.state == .up ? 1 : 0) }
        )
        let census = await services.registry.census
        let groups = Origin.allCases.flatMap { origin in
            EndpointState.allCases.map { EndpointGroup(origin: origin, state: $0) }
        }
        text.add(
            .gauge,
            "endpoints",
            "Servers in the list, by origin and state.",
            samples: groups.map { group in
                (["origin": group.origin.rawValue, "state": group.state.rawValue], census[group] ?? 0)
            }
        )
        let counters = await services.registry.counters
        text.add(
            .counter,
            "sightings_limited_total",
            "Sightings that were dropped, or whose TXT was cut, by reason.",
            samples: [
                (["reason": "no_room"], Int(clamping: counters.dropped)),
                (["reason": "malformed"], Int(clamping: counters.malformed)),
                (["reason": "address_refused"], facts.refusedAddresses()),
                (["reason": "txt_cut"], Int(clamping: counters.cut)),
            ]
        )
        text.add(
            .counter,
            "endpoints_evicted_total",
            "Discovered servers that were evicted.",
            Int(clamping: counters.evicted)
        )
        let watching = await services.registry.watching
        text.add(.gauge, "watchers", "Streams of Registry.Watch.", watching.watchers)
        text.add(.gauge, "changes_waiting", "Changes of the list that were not sent to watchers yet.", watching.waiting)
        text.add(
            .counter,
            "changes_folded_total",
            "Changes that were merged with a newer one.",
            Int(clamping: counters.folded)
        )
        text.add(
            .counter,
            "watchers_ended_total",
            "Watchers that were disconnected because they read too slowly.",
            watching.ended
        )
    }

    private func addVault(to text: inout MetricsText) async {
        let vault = await services.store.status
        text.add(
            .gauge,
            "vault_state",
            "1 for the state that the vault is in.",
            samples: VaultState.allCases.map { (["state": $0.rawValue], $0 == vault.state ? 1 : 0) }
        )
        if let logins = vault.loginCount { text.add(.gauge, "logins", "Logins in the open vault.", logins) }
        let lost = services.store.audit?.losses.events ?? 0
        text.add(.counter, "audit_events_lost_total", "Events that are missing in the audit log.", lost)
    }

    private func addBroker(to text: inout MetricsText) async {
        let adapters = await services.broker.openAdapters
        text.add(.gauge, "sessions", "Sessions with servers.", await services.broker.sessionCount)
        text.add(
            .gauge,
            "adapters",
            "Open adapters, by the end of their lease.",
            samples: ["held", "timed", "configured"].map { lease in
                (["lease": lease], adapters.count { $0.lifetime.word == lease })
            }
        )
        text.add(.gauge, "grants", "Sockets for some calls of one login.", await services.broker.grants.count)
    }

    private func addAPI(to text: inout MetricsText) {
        let usage = self.usage.latest
        text.add(.gauge, "api_connections", "Connections to the daemon's socket.", usage.connections)
        text.add(.gauge, "api_calls_running", "Running calls, including streams.", usage.runningCalls)
        text.add(.counter, "api_calls_total", "Calls of the API.", usage.calls)
        text.add(.counter, "api_errors_total", "Calls that were answered by an error.", usage.errors)
        text.add(
            .counter,
            "api_connections_refused_total",
            "Connections of other users, or beyond a limit.",
            usage.refused
        )
    }
}

extension AdapterLifetime {
    /// The value in `Manager.GetMetrics`.
    fileprivate var word: String {
        switch self {
        case .held: "held"
        case .atMost, .granted: "timed"
        case .permanent: "configured"
        }
    }
}

/// Metrics in the text format of Prometheus, version 0.0.4. Each has its HELP and TYPE lines, then its samples.
struct MetricsText {
    enum Kind: String {
        /// Only increases, starting from 0 with the daemon. Its name ends with `_total`.
        case counter
        case gauge
    }

    private(set) var text = ""

    /// Adds a metric with one sample.
    ///
    /// - Parameter name: without the common prefix.
    mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Int) {
        add(kind, name, help, samples: [([:], value)])
    }

    /// Adds a metric with several samples.
    ///
    /// - Parameter samples: each with its labels, as pairs of a name and any text.
    mutating func add(
        _ kind: Kind,
        _ name: String,
        _ help: String,
        samples: [(labels: KeyValuePairs<String, String>, value: Int)]
    ) {
        precondition((kind == .counter) == name.hasSuffix("_total"))
        let name = "relativityd_\(name)"
        text += "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(kind.rawValue)\n"
        for (labels, value) in samples {
            let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
            text += "\(name)\(pairs.isEmpty ? "" : "{\(pairs)}") \(value)\n"
        }
    }

    /// Escapes a backslash, a quote and a line feed, as a label's value requires. In a help text the quote may be
    /// escaped too.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// The latest figures of the server. The server updates them, because it owns the interface that reads them.
final class APIUsage: Sendable {
    private let figures = Lock(VarlinkUsage())

    var latest: VarlinkUsage { figures.withLock { $0 } }

    func note(_ usage: VarlinkUsage) { figures.withLock { $0 = usage } }
}
