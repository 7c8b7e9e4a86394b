// SPDX-License-Identifier: Apache-2.0

/// Differences of texts that a comparison ignores. Fields that are not text ignore this.
public struct PredicateFolding: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `[c]`: case, by Unicode's full case folding, so that `ß` equals `ss`. Composed and decomposed letters remain
    /// different.
    public static let ignoresCase = Self(rawValue: 1)
    /// `[d]`: diacritics. Letters are decomposed canonically (except Hangul syllables), then nonspacing marks with
    /// Unicode's property Diacritic are removed.
    public static let ignoresDiacritics = Self(rawValue: 2)

    /// Parses `c`, `d`, `cd` or `dc` in either case.
    init?(option: some Sequence<UInt8>) {
        var folding: PredicateFolding = []
        for byte in option {
            let added: PredicateFolding
            switch byte | 0x20 {
            case UInt8(ascii: "c"): added = .ignoresCase
            case UInt8(ascii: "d"): added = .ignoresDiacritics
            default: return nil
            }
            guard folding.insert(added).inserted else { return nil }
        }
        guard !folding.isEmpty else { return nil }
        self = folding
    }

    /// The option after an operator, such as `[cd]`; empty for none.
    var option: String {
        isEmpty ? "" : "[\(contains(.ignoresCase) ? "c" : "")\(contains(.ignoresDiacritics) ? "d" : "")]"
    }
}
