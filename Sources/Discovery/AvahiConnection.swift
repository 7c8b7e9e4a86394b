// SPDX-License-Identifier: Apache-2.0

internal import CAvahi

/// A client of avahi-daemon: one D-Bus connection and the objects that were created on it.
final class AvahiConnection {
    /// Distinguishes connections of one owner, since a delayed report may be from one that was freed.
    let id: Int
    /// The number of open resolvers on it.
    var resolvers = 0
    /// Whether avahi-daemon currently refuses to create more objects on it.
    var isFull = false
    let client: OpaquePointer
    private let callback: Callback<Report>

    /// A change in the state of the connection.
    enum Report: Sendable {
        /// avahi-daemon is not on the bus. libavahi-client reports when it appears.
        case waiting
        /// avahi-daemon responds. `isReady` says whether its host name is settled, so that services can be published.
        case usable(isReady: Bool)
        /// Final: the connection has to be freed.
        case failed(DiscoveryError)
    }

    /// - Parameter report: called on the loop's thread, never before `init` has returned and never from within
    ///   Avahi's code, so that it may free the connection.
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
        // With NO_FAIL, an absent avahi-daemon is not an error. Only a failure of the bus is.
        guard let client else { throw .noSystemBus }
        self.client = client
    }

    /// Frees the client and every object that was created on it.
    func free() {
        avahi_client_free(client)
    }

    /// The error of the latest failed call on this connection.
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
