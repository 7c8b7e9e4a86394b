// SPDX-License-Identifier: Apache-2.0

internal import CAvahi

/// A client of avahi-daemon: one D-Bus connection and the objects made on it.
final class AvahiConnection {
    /// Distinguishes connections of one owner, since a late report may speak of one that was freed.
    let id: Int
    /// Open resolvers on it.
    var resolvers = 0
    /// avahi-daemon allows it no more objects, for the time being.
    var isFull = false
    let client: OpaquePointer
    private let callback: Callback<Report>

    /// What became of the connection.
    enum Report: Sendable {
        /// avahi-daemon is not on the bus. It will be noticed when it comes.
        case waiting
        /// avahi-daemon answers. `isReady` says whether its host name is settled, so that services can be published.
        case usable(isReady: Bool)
        /// Final: the connection has to be freed.
        case failed(DiscoveryError)
    }

    /// - Parameter report: called on the loop's thread, never before `init` has returned nor from within Avahi's code, so
    ///   that it may free the connection.
    init(id: Int, on loop: AvahiLoop, report: @escaping @Sendable (Report) -> Void) throws(DiscoveryError) {
        self.id = id
        callback = Callback { [unowned loop] state in loop.execute { report(state) } }
        let client = avahi_client_new(
            loop.api,
            AVAHI_CLIENT_NO_FAIL,
            { client, state, userdata in
                Callback.deliver(AvahiConnection.report(of: state, client), to: userdata)
            },
            callback.userdata,
            nil
        )
        // With NO_FAIL an absent avahi-daemon is no error: what fails is the bus.
        guard let client else { throw .noSystemBus }
        self.client = client
    }

    /// Frees the client and with it every object made on it.
    func free() {
        avahi_client_free(client)
    }

    /// The error of the call that has just failed on this connection.
    var lastError: DiscoveryError { .avahi(code: avahi_client_errno(client)) }

    private static func report(of state: AvahiClientState, _ client: OpaquePointer?) -> Report {
        switch state {
        case AVAHI_CLIENT_S_RUNNING: .usable(isReady: true)
        case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: .usable(isReady: false)
        case AVAHI_CLIENT_CONNECTING: .waiting
        default: .failed(.avahi(code: client.map { avahi_client_errno($0) } ?? DiscoveryError.disconnected))
        }
    }
}
