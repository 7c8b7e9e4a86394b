// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI

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

    var method: String {
        switch self {
        case .watch: "org.relativityd.Registry.Watch"
        case .watchAdapters: "org.relativityd.Broker.Watch"
        case .probe: "org.relativityd.Registry.Probe"
        case .setHidden: "org.relativityd.Registry.Set"
        case .openAdapter: "org.relativityd.Broker.Open"
        }
    }

    var parameters: JSONObject {
        var parameters = JSONObject()
        parameters["endpoint"] = endpoint.map { .string($0) }
        switch self {
        case .watch(let since): parameters["since"] = since.map { .integer($0) }
        case .setHidden(_, let isHidden): parameters["hidden"] = .bool(isHidden)
        case .watchAdapters, .probe, .openAdapter: break
        }
        return parameters
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
