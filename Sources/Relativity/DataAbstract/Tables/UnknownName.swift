// SPDX-License-Identifier: Apache-2.0

import Platform

/// A name that selects none of the known names, with what it may mean. All names are untrusted: escape them before
/// printing.
public struct UnknownName: Hashable, Sendable {
    /// More names than this are not listed.
    private static let most = 12

    /// The name as it was given.
    public let name: String
    /// The most similar known name; nil if none is similar.
    public let nearest: String?
    /// The known names, if none is similar and they are few.
    public let choices: [String]

    /// Compares a name with the known ones.
    public init(_ name: String, among known: some Sequence<String>) {
        let known = Array(known)
        self.name = name
        nearest = NearestName.find(name, among: known)
        choices = nearest == nil && known.count <= Self.most ? known : []
    }

    /// A clause that follows the sentence about the name, such as `; the nearest one is 'Name'`; empty if nothing is
    /// known.
    ///
    /// - Parameter quoted: quotes a name.
    public func advice(_ quoted: (String) -> String = { "'\($0)'" }) -> String {
        if let nearest { return "; the nearest one is \(quoted(nearest))" }
        return choices.isEmpty ? "" : "; known are \(choices.map(quoted).joined(separator: ", "))"
    }
}
