// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// A domain name: its labels, which may have any bytes, without the empty label of the root (RFC 1035, section 3.1).
///
/// Two names are equal if they differ only in the case of ASCII letters (RFC 4343).
package struct DomainName: Sendable {
    static let maximumLabel = 63
    /// The length on the wire, with the length byte of each label and the root's zero.
    static let maximumBytes = 255

    /// The labels, the most specific one first.
    package private(set) var labels: [[UInt8]]

    /// - Returns: nil if a label is empty or longer than 63 bytes, or the name is longer than 255.
    package init?(labels: [[UInt8]]) {
        guard labels.allSatisfy({ (1...Self.maximumLabel).contains($0.count) }),
            labels.reduce(1, { $0 + 1 + $1.count }) <= Self.maximumBytes
        else { return nil }
        self.labels = labels
    }

    /// Reads a name as users write it, such as `example.org`, with or without a dot at the end. It may have letters,
    /// digits, `-` and `_` only.
    package init?(_ text: String) {
        let name = text.hasSuffix(".") ? text.dropLast() : text[...]
        guard ASCII.isWord(name, marks: "-_."), !name.isEmpty else { return nil }
        self.init(labels: name.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) })
    }

    /// This name under another: `www` and `example.org` give `www.example.org`.
    ///
    /// - Returns: nil if the result is too long.
    func below(_ parent: DomainName) -> DomainName? { DomainName(labels: labels + parent.labels) }

    var isRoot: Bool { labels.isEmpty }
}

extension DomainName: Hashable {
    /// Compares without regard to the case of ASCII letters.
    package static func == (one: Self, other: Self) -> Bool {
        one.labels.count == other.labels.count
            && zip(one.labels, other.labels).allSatisfy { ASCII.areEqual($0, $1) }
    }

    /// Hashes without regard to the case of ASCII letters.
    package func hash(into hasher: inout Hasher) {
        for label in labels {
            hasher.combine(label.count)
            for byte in label { hasher.combine(ASCII.lowered(byte)) }
        }
    }
}

extension DomainName: CustomStringConvertible {
    /// The labels joined by dots, with `\.` for a dot in a label and `\DDD` for bytes that are not printable ASCII
    /// (RFC 1035, section 5.1).
    package var description: String {
        labels.map { label in label.map(Self.text).joined() }.joined(separator: ".")
    }

    private static func text(of byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "\\"): return "\\" + String(Unicode.Scalar(byte))
        case 0x21...0x7E: return String(Unicode.Scalar(byte))
        default:
            let digits = String(byte)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
    }
}
