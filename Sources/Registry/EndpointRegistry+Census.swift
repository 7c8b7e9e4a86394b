// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Figures, for metrics.
extension EndpointRegistry {
    /// How many endpoints there are of each group; those without any are missing.
    package var census: [EndpointGroup: Int] {
        var census: [EndpointGroup: Int] = [:]
        state.forEachEndpoint { census[EndpointGroup(origin: $0.origin, state: $0.state), default: 0] += 1 }
        return census
    }

    /// How many watch, how many changes they are not told yet, and how many watchers were too slow since the start.
    package var watching: (watchers: Int, waiting: Int, ended: Int) {
        (watchers.count, state.pending.told.count, endedWatchers)
    }
}
