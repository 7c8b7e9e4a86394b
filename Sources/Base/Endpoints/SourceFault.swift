// SPDX-License-Identifier: Apache-2.0

/// The reason why a source of sightings does not work: a code, and the values that belong to it.
package struct SourceFault: Sendable, Hashable, Codable {
    /// The values of `Manager.SourceFault` in the API.
    package enum Code: String, Sendable, Codable, CaseIterable {
        case etcdError
        case notStarted
        case noThread
        case avahiNotRunning
        case avahiNotAnswering
        case avahiLost
        case avahiDenied
        case avahiError
        case busUnreachable
        case busDenied
        case dnsNoServer
        case dnsSilent
        case dnsError
        case dnsMalformed
        case etcdUnreachable
        case etcdSilent
        case etcdClosed
        case etcdTooLarge
        case etcdMalformed
        case etcdHistoryLost
        case etcdPasswordRefused
        case etcdUserNeeded
        case etcdWithoutUsers
        case etcdReadDenied
        case etcdFileUnusable
    }

    /// The kind of fault.
    package var code: Code
    /// The servers that were asked, in this order.
    package var servers: [String]
    /// The user of etcd.
    package var user: String?
    /// The file that names the DNS servers, or the prefix of a list in etcd.
    package var path: String?
    /// An errno, the code of a DNS reply, or a limit in bytes.
    package var number: Int?
    /// A text of a library or of a server, made printable.
    package var detail: String?

    /// A fault with these values.
    package init(
        _ code: Code,
        servers: [String] = [],
        user: String? = nil,
        path: String? = nil,
        number: Int? = nil,
        detail: String? = nil
    ) {
        self.code = code
        self.servers = servers
        self.user = user
        self.path = path
        self.number = number
        self.detail = detail
    }
}

/// The text for the log. The sentences for users are in relctl.
extension SourceFault: CustomStringConvertible {
    /// The code, its values in parentheses, and the detail. Untrusted text in the values is escaped.
    package var description: String {
        let values = servers + [user, path, number.map { "\($0)" }].compactMap { $0.map { "\(Printable($0))" } }
        let text = values.isEmpty ? code.rawValue : "\(code.rawValue) (\(values.joined(separator: ", ")))"
        return detail.map { "\(text): \($0)" } ?? text
    }
}

/// Sightings and entries that a source leaves out.
package enum SourceOmission: Sendable, Hashable {
    /// Addresses outside of the networks that are allowed for the source.
    case addressesRefused(count: Int)
    /// Listed instances beyond the limit, listed twice, or of another domain.
    case instancesIgnored(count: Int)
    /// Listed instances without a usable SRV record.
    case instancesUnplaced(count: Int)
    /// Invalid entries of a list: the name of one, made printable, and the reason why it is invalid.
    case entriesIgnored(count: Int, example: String, reason: String)
    /// Entries of a list without an address in the networks that are allowed for it.
    case entriesUnplaced(count: Int)
    /// The list has more entries than `limit`; the rest is not read.
    case listCut(limit: Int)
    /// The list is at its limit. `dropped` is how often an entry was left out.
    case listFull(limit: Int, dropped: Int)
}
