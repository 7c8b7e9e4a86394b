// SPDX-License-Identifier: Apache-2.0

/// One message that was sent for a report, and what came back, without secrets.
package struct CapturedExchange: Sendable, Hashable {
    /// Why it was sent.
    package enum Step: String, Sendable, CaseIterable {
        /// A call with a ClientID that no server knows.
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

    package let step: Step
    /// With a ClientID of zeros; of a login nothing but header, service and method.
    package let request: [UInt8]
    package internal(set) var status: Int?
    /// Lines; values only of headers that are known to be harmless.
    package internal(set) var headers: [String] = []
    /// Inflated, and with a ClientID of zeros; nil if nothing came, or nothing of it may be shown.
    package internal(set) var reply: [UInt8]?
    /// What was seen before secrets were taken out, and what was left out; foreign text is made printable.
    package internal(set) var notes: [String] = []
    /// Why there is no reply.
    package internal(set) var error: String?

    init(_ step: Step, request: [UInt8]) {
        self.step = step
        self.request = request
    }
}
