// SPDX-License-Identifier: Apache-2.0

/// What a given name selects among the names of tables or fields: an equal one, otherwise the only one that differs in
/// the case of ASCII letters alone. Names are compared as bytes: Swift treats canonically equivalent texts as equal,
/// servers do not.
package enum NameMatch: Hashable, Sendable {
    /// The index of the name.
    case found(Int)
    /// Several names differ from it only in case.
    case ambiguous
    case unknown

    /// Finds a name.
    package init(_ name: String, in names: some Sequence<String>) {
        var similar: Int?
        var isAmbiguous = false
        for (index, known) in names.enumerated() where Self.isSimilar(known, name) {
            if known.utf8.elementsEqual(name.utf8) {
                self = .found(index)
                return
            }
            isAmbiguous = similar != nil
            similar = similar ?? index
        }
        self = isAmbiguous ? .ambiguous : similar.map(Self.found) ?? .unknown
    }

    /// The index of the name; nil if it is ambiguous or unknown.
    package var index: Int? {
        if case .found(let index) = self { index } else { nil }
    }

    /// Whether two names differ at most in the case of ASCII letters.
    package static func isSimilar(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).allSatisfy { lowered($0) == lowered($1) }
    }

    /// A byte, with a capital letter of ASCII made small.
    @inlinable
    package static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

/// The name of a table or field as a key: those of similar names (`NameMatch.isSimilar`) are equal.
package struct NameKey: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The bytes of the name, with small letters of ASCII.
    let bytes: [UInt8]

    /// The key of a name.
    package init(_ name: some StringProtocol) { bytes = name.utf8.map(NameMatch.lowered) }

    /// The key of a name in the source.
    package init(stringLiteral name: String) { self.init(name) }
}
