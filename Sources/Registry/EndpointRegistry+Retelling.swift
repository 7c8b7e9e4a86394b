// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// What was left out for want of room comes back when there is some.
extension EndpointRegistry {
    /// Asks all sources to tell everything again, at most once in each `retellingPause`: whoever floods the list decides how
    /// often there is room.
    func retellSoon() {
        owesRetelling = true
        guard retelling == nil else { return }
        retellNow()
    }

    private func retellNow() {
        guard owesRetelling else { return }
        owesRetelling = false
        retelling = loop.scheduleTask(in: TimeAmount(limits.retellingPause)) {
            self.assumeIsolated { registry in
                registry.retelling = nil
                registry.retellNow()
            }
        }
        for source in sources.values { source.retell() }
    }
}
