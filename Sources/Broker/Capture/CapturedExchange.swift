// SPDX-License-Identifier: Apache-2.0

/// A message that was sent for a report, and the reply, without secrets.
package struct CapturedExchange: Sendable, Hashable {
    /// The purpose of the message.
    package enum Step: String, Sendable, CaseIterable {
        /// A call with a ClientID that the server does not know.
        case expiry
        case login
        /// A call of a method that no service has.
        case exception
        case schema
        case logout
        case wrongPassword = "wrong-password"

        /// Whether a password was sent.
        var isLogin: Bool { self == .login || self == .wrongPassword }
    }

    /// The purpose of the request.
    package let step: Step
    /// With a ClientID of zeros. A login contains only the header, service and method.
    package let request: [UInt8]
    /// The HTTP status; nil if there is no reply.
    package internal(set) var status: Int?
    /// Header lines; values only of headers that are known to be harmless.
    package internal(set) var headers: [String] = []
    /// Inflated, and with a ClientID of zeros; nil if there is no reply or if the body is withheld.
    package internal(set) var reply: [UInt8]?
    /// Observations from before the secrets were removed, and notes about omitted parts. Untrusted text is made
    /// printable.
    package internal(set) var notes: [String] = []
    /// The reason why there is no reply.
    package internal(set) var error: String?

    init(_ step: Step, request: [UInt8]) {
        self.step = step
        self.request = request
    }
}
