// SPDX-License-Identifier: Apache-2.0

/// The reason for the state of an endpoint or for the result of a probe: a code, and the values that belong to it.
package struct StateReason: Sendable, Hashable {
    /// The values of `Registry.Reason` in the API.
    package enum Code: String, Sendable, CaseIterable {
        case error
        case connectError
        case connectTimeout
        case noConnection
        case noAnswer
        case closed
        case brokenOff
        case spokeFirst
        case tlsFailed
        case noKey
        case overloaded
        case noAddress
        case addressRefused
        case noInterface
        case lookUpFailed
        case lookUpTimeout
        case noListener
        case notListed
        case vanished
        case nameTaken
        case otherUser
        case otherKey
        case otherIdentity
        case notVouched
        case tlsGone
        case tlsNow
        case otherPlace
        case otherInterface
        case pinDamaged
    }

    /// The kind of reason.
    package var code: Code
    /// The name or address of a host, or the name of an interface. Untrusted.
    package var host: String?
    /// The port of a server.
    package var port: UInt16?
    /// The key or the fingerprint that the server showed.
    package var shown: String?
    /// A file of the administrator.
    package var path: String?
    /// An errno.
    package var errno: Int32?
    /// A text of the system, of a library or of an error, made printable.
    package var detail: String?

    /// A reason with these values.
    package init(
        _ code: Code,
        host: String? = nil,
        port: UInt16? = nil,
        shown: String? = nil,
        path: String? = nil,
        errno: Int32? = nil,
        detail: String? = nil
    ) {
        self.code = code
        self.host = host
        self.port = port
        self.shown = shown
        self.path = path
        self.errno = errno
        self.detail = detail
    }
}

/// The text for errors of the daemon and for relctl.
extension StateReason: CustomStringConvertible {
    /// A part of a sentence. Untrusted text in it is escaped.
    package var description: String {
        switch code {
        case .error, .connectError, .otherInterface: text
        case .connectTimeout: "no connection in time"
        case .noConnection: host.map { "no TLS connection to \(Printable($0))" } ?? "no connection"
        case .noAnswer: "no answer in time"
        case .closed: "the server closed the connection"
        case .brokenOff: "the server closed the connection before the end of its reply"
        case .spokeFirst: "the server sent data before a request"
        case .tlsFailed: "TLS failed"
        case .noKey: "the server showed no key"
        case .overloaded: "too many calls are waiting for this server"
        case .noAddress: "no address is known"
        case .addressRefused: "no source may announce \(text) on this network"
        case .noInterface: "there is no interface \(place)"
        case .lookUpFailed: "\(place): \(text)"
        case .lookUpTimeout: "the look-up of its name takes too long"
        case .noListener: "no process accepts the connection on port \(port ?? 0)"
        case .notListed: "it is not in the list of endpoints now"
        case .vanished: "it no longer announces itself"
        case .nameTaken: "another server announces itself under the same name"
        default: conflict
        }
    }

    /// The reason why the server is not the pinned one.
    private var conflict: String {
        switch code {
        case .otherUser: "another user of this machine answers on port \(port ?? 0)"
        case .otherKey: "it showed the TLS key \(fingerprint)"
        case .otherIdentity:
            "it shows \(fingerprint), and the administrator's file \(Printable(path ?? "")) has another one"
        case .notVouched: "it is not verified as \(place): \(text)"
        case .tlsGone: "it no longer uses TLS"
        case .tlsNow: "the login is bound to plain HTTP at \(place), and it uses TLS now"
        case .otherPlace: "the login is bound to \(place) port \(port ?? 0), and it is elsewhere now"
        default: "the pin is damaged"
        }
    }

    private var place: Printable { Printable(host ?? "") }
    private var fingerprint: Printable { Printable(shown ?? "") }
    private var text: String { detail ?? "unknown reason" }
}
