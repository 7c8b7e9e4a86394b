// SPDX-License-Identifier: Apache-2.0

/// The text for errors of the daemon and for relctl.
extension StateReason: CustomStringConvertible {
    /// A part of a sentence. Untrusted text in it is escaped.
    public var description: String {
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
        case .otherUser:
            "another user of this machine\(detail.map { ", \(Printable($0))," } ?? "") answers on port \(port ?? 0)"
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
