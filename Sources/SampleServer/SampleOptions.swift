// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// What the command line of the sample server chooses.
package struct SampleOptions: Sendable {
    package var addresses: [SocketAddress]
    /// Where the database file lives; made if it is missing.
    package var dataDirectory: String
    /// How long a session lives after its last call.
    package var sessionTimeout: Duration
    /// LoginEx answers false to everyone.
    package var refusesLogins: Bool
    /// LoginEx takes any password of an account that exists.
    package var acceptsAnyPassword: Bool
    /// Gets a line `Service.Method` for each call, nothing else.
    package var requestLog: String?
    /// How long every reply is held back.
    package var delay: Duration
    /// Announce the service on the link under this name.
    package var publishedName: String?
    /// Replies of so many bytes and more are compressed; nil compresses none.
    package var compressingFrom: Int? = 4096

    package init(
        addresses: [SocketAddress],
        dataDirectory: String,
        sessionTimeout: Duration = .seconds(600),
        refusesLogins: Bool = false,
        acceptsAnyPassword: Bool = false,
        requestLog: String? = nil,
        delay: Duration = .zero,
        publishedName: String? = nil
    ) {
        self.addresses = addresses
        self.dataDirectory = dataDirectory
        self.sessionTimeout = sessionTimeout
        self.refusesLogins = refusesLogins
        self.acceptsAnyPassword = acceptsAnyPassword
        self.requestLog = requestLog
        self.delay = delay
        self.publishedName = publishedName
    }
}
