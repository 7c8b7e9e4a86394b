// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// The answers so far to a query for a host's addresses, which is sent once for each family.
struct HostNameAnswers: Sendable, Hashable {
    /// The time to wait for the second family after the first was answered. A host without addresses of a family may
    /// not answer for it at all.
    static let grace = Duration.milliseconds(200)

    /// The next step after an answer.
    enum Next: Sendable {
        case wait
        /// Wait no longer than `grace` from now.
        case waitBriefly
        case finish
    }

    private var answers: [AddressFamily: IPAddress?] = [:]

    /// - Parameter address: nil if Avahi has timed out.
    mutating func answered(_ family: AddressFamily, _ address: IPAddress?) -> Next {
        let isFirst = addresses.isEmpty
        answers.updateValue(address, forKey: family)
        if answers.count == 2 { return .finish }
        return isFirst && !addresses.isEmpty ? .waitBriefly : .wait
    }

    /// The addresses so far, IPv4 first.
    var addresses: [IPAddress] { [.inet, .inet6].compactMap { answers[$0] ?? nil } }
}
