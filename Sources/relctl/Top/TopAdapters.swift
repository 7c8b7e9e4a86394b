// SPDX-License-Identifier: Apache-2.0

import LocalAPI

/// The open adapters, and what they tell of sessions.
struct TopAdapters {
    struct Use: Hashable {
        var sessions = 0
        var adapters = 0
    }

    /// Oldest first.
    private(set) var all: [BrokerAPI.Adapter] = []

    mutating func replaceAll(_ adapters: [BrokerAPI.Adapter]) { all = adapters }

    mutating func put(_ adapter: BrokerAPI.Adapter) {
        drop(adapter.id)
        all.append(adapter)
    }

    mutating func drop(_ id: String) { all.removeAll { $0.id == id } }

    /// By the id of the endpoint. Adapters of one login share a session, unless they have one of their own.
    var use: [String: Use] {
        var use: [String: Use] = [:]
        var shared: Set<[String]> = []
        for adapter in all {
            guard let endpoint = adapter.endpoint else { continue }
            use[endpoint, default: Use()].adapters += 1
            guard let login = adapter.login else { continue }
            if adapter.ownSession || shared.insert([endpoint, login]).inserted {
                use[endpoint, default: Use()].sessions += 1
            }
        }
        return use
    }
}
