// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// What multicast DNS has answered so far to the question for a host's addresses, which is asked once for each family.
struct HostNameAnswers: Sendable, Hashable {
    /// A host without addresses of a family may be silent about it. So when one family has answered, the other has only so
    /// long.
    static let grace = Duration.milliseconds(200)

    /// What to do after an answer.
    enum Next: Sendable {
        case wait
        /// Wait no longer than `grace` from now.
        case waitBriefly
        case finish
    }

    private var answers: [AddressFamily: IPAddress?] = [:]

    /// - Parameter address: nil where Avahi has given up.
    mutating func answered(_ family: AddressFamily, _ address: IPAddress?) -> Next {
        let isFirst = addresses.isEmpty
        answers.updateValue(address, forKey: family)
        if answers.count == 2 { return .finish }
        return isFirst && !addresses.isEmpty ? .waitBriefly : .wait
    }

    /// IPv4 first.
    var addresses: [IPAddress] { [.inet, .inet6].compactMap { answers[$0] ?? nil } }
}
