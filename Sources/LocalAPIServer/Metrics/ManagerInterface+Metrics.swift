// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI
import NIOCore
import Platform
import Registry
import VarlinkService

extension ManagerInterface {
    /// `Manager.GetMetrics`. Labels are words of closed sets, and the names of sources, which come from the configuration:
    /// nothing that a stranger chose, so the number of samples is bounded.
    var metrics: String {
        get async {
            var text = MetricsText()
            text.add(
                .gauge,
                "info",
                "What runs here; always 1.",
                samples: [(["version": ProjectVersion.text], 1)]
            )
            let uptime = (NIODeadline.now() - facts.started).nanoseconds / 1_000_000_000
            text.add(.gauge, "uptime_seconds", "Since the daemon's start.", Int(uptime))
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
            samples: sources.map { (["source": $0.name.text], $0.state == .up ? 1 : 0) }
        )
        let census = await services.registry.census
        let groups = Origin.allCases.flatMap { origin in
            EndpointState.allCases.map { EndpointGroup(origin: origin, state: $0) }
        }
        text.add(
            .gauge,
            "endpoints",
            "Servers in the list, by how they came into it and what is known of them.",
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
            "Discovered servers that made room for others.",
            Int(clamping: counters.evicted)
        )
        let watching = await services.registry.watching
        text.add(.gauge, "watchers", "Streams of Registry.Watch.", watching.watchers)
        text.add(.gauge, "changes_waiting", "Changes of the list that watchers are not told yet.", watching.waiting)
        text.add(
            .counter,
            "changes_folded_total",
            "Changes that watchers were told as one with a newer one.",
            Int(clamping: counters.folded)
        )
        text.add(
            .counter,
            "watchers_ended_total",
            "Watchers that were ended because they read too slowly.",
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
            "Open adapters, by what ends their lease.",
            samples: ["held", "timed", "configured"].map { lease in
                (["lease": lease], adapters.count { $0.lifetime.word == lease })
            }
        )
        text.add(.gauge, "grants", "Sockets for some calls of one login.", await services.broker.grants.count)
    }

    private func addAPI(to text: inout MetricsText) {
        let usage = self.usage.latest
        text.add(.gauge, "api_connections", "Connections to the daemon's socket.", usage.connections)
        text.add(.gauge, "api_calls_running", "Calls under way, streams too.", usage.runningCalls)
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
    /// As in `Manager.GetMetrics`.
    fileprivate var word: String {
        switch self {
        case .held: "held"
        case .atMost, .granted: "timed"
        case .standing: "configured"
        }
    }
}
