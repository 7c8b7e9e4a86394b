// SPDX-License-Identifier: Apache-2.0

package import Broker
package import Credentials
package import LocalAPI
package import NIOCore
package import Registry

/// What the interfaces serve.
package struct LocalServices: Sendable {
    package let registry: EndpointRegistry
    package let store: CredentialStore
    package let broker: ConnectionBroker
    package let connector: ServerConnector
    package let liveness: LivenessMonitor
    package let opening: InteractiveOpening

    package init(
        registry: EndpointRegistry,
        store: CredentialStore,
        broker: ConnectionBroker,
        connector: ServerConnector,
        liveness: LivenessMonitor,
        opening: InteractiveOpening
    ) {
        self.registry = registry
        self.store = store
        self.broker = broker
        self.connector = connector
        self.liveness = liveness
        self.opening = opening
    }
}

/// What `Manager.GetStatus` tells beyond the services' own state.
package struct DaemonFacts: Sendable {
    /// When the daemon started.
    package let started: NIODeadline
    /// What is wrong; to find that out takes a second at most.
    package let notes: @Sendable () async -> [ManagerAPI.Note]
    /// Sightings refused for an address that their source may not lead to.
    package let refusedAddresses: @Sendable () -> Int
    /// Interfaces on which multicast DNS can work now.
    package let multicastInterfaces: @Sendable () -> [String]

    package init(
        started: NIODeadline,
        notes: @escaping @Sendable () async -> [ManagerAPI.Note],
        refusedAddresses: @escaping @Sendable () -> Int,
        multicastInterfaces: @escaping @Sendable () -> [String]
    ) {
        self.started = started
        self.notes = notes
        self.refusedAddresses = refusedAddresses
        self.multicastInterfaces = multicastInterfaces
    }
}
