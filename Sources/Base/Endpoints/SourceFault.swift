// SPDX-License-Identifier: Apache-2.0

import JSON

extension SourceFault {
    /// A fault that no server is part of.
    package init(_ code: Code, path: String? = nil, number: Int? = nil, detail: String? = nil) {
        self.init(code: code, servers: [], path: path, number: number.map(Int64.init), detail: detail)
    }
}

extension SourceFault: Codable {
    /// Decodes the text of the JSON object, which `encode` writes.
    public init(from decoder: any Decoder) throws {
        try self.init(jsonValue: JSONValue(parsing: try decoder.singleValueContainer().decode(String.self)))
    }

    /// Encodes the text of the JSON object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: JSONValue.object(json).serialized(), as: UTF8.self))
    }
}

/// The text for the log. The sentences for users are in relctl.
extension SourceFault: CustomStringConvertible {
    /// The code, its values in parentheses, and the detail. Untrusted text in the values is escaped.
    public var description: String {
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
