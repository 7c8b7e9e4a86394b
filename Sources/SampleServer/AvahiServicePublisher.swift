// SPDX-License-Identifier: Apache-2.0

import Discovery
import Synchronization

/// Announces through avahi-daemon, and again whenever that comes back.
package final class AvahiServicePublisher: ServicePublisher {
    private let loop: AvahiLoop
    private let current = Mutex<AvahiPublisher?>(nil)

    /// Starts Avahi's thread.
    ///
    /// - Throws: a `DiscoveryError` when there are no descriptors or no memory left.
    package init() throws {
        loop = try AvahiLoop()
    }

    package func publish(name: String, type: String, port: UInt16) {
        let publisher = AvahiPublisher(Announcement(name: name, type: type, port: port), on: loop)
        current.withLock { $0 = publisher }
        publisher.start()
    }

    package func withdraw() {
        current.withLock { publisher in
            publisher?.stop()
            publisher = nil
        }
    }
}
