// SPDX-License-Identifier: Apache-2.0

/// Text that selects a server or a login by its name or by the beginning of its name.
package struct NameReference: Sendable, Hashable {
    /// The text as it was typed.
    package let text: String

    /// A reference with this text.
    package init(_ text: String) {
        self.text = text
    }

    /// Whether the text is the beginning of a longer name, and does not end in the middle of a number. `server1` does
    /// not select `server10`.
    package func begins(_ name: String) -> Bool {
        guard name.utf8.starts(with: text.utf8), let last = text.utf8.last,
            let next = name.utf8.dropFirst(text.utf8.count).first
        else { return false }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return !(digits.contains(last) && digits.contains(next))
    }

    /// Returns the names that the text selects, each once: an equal name alone, or otherwise all longer names that
    /// begin with the text.
    package func matches(in names: some Sequence<String>) -> [String] {
        var found: [String] = []
        for name in names {
            if name == text { return [name] }
            if begins(name), !found.contains(name) { found.append(name) }
        }
        return found
    }
}
