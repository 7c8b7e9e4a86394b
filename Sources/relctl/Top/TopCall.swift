// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Varlink

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
