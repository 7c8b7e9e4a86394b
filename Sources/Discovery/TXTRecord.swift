// SPDX-License-Identifier: Apache-2.0

internal import CAvahi

/// The strings of a TXT record in wire order, bounded (RFC 6763, section 6).
struct TXTRecord: Sendable, Hashable {
    /// One Ethernet frame's worth: the RFC's own upper recommendation (section 6.2).
    static let maximumSize = 1_300

    private(set) var strings: [[UInt8]] = []
    /// Strings were left out, from the end.
    private(set) var isTruncated = false

    /// Keeps strings up to `maximumSize` bytes in all, each counted with its length byte.
    init(_ strings: [[UInt8]]) {
        var size = 0
        for string in strings {
            size += 1 + string.count
            guard size <= Self.maximumSize, string.count <= 255 else {
                isTruncated = true
                return
            }
            self.strings.append(string)
        }
    }

    /// Copies Avahi's list: as libavahi-client hands it over, its head is the first string on the wire.
    init(avahi list: UnsafeMutablePointer<AvahiStringList>?) {
        var strings: [[UInt8]] = []
        for entry in sequence(first: list, next: { avahi_string_list_get_next($0) }) {
            guard let entry, let text = avahi_string_list_get_text(entry) else { break }
            strings.append(Array(UnsafeBufferPointer(start: text, count: avahi_string_list_get_size(entry))))
        }
        self.init(strings)
    }

    /// Calls `body` with a list that is sent in wire order, and frees it afterwards.
    func withAvahiList<Result>(_ body: (UnsafeMutablePointer<AvahiStringList>?) -> Result) -> Result {
        // The last string comes first in a list that is to be sent, unlike in one that was received.
        let list = strings.reduce(nil) { avahi_string_list_add_arbitrary($0, $1, $1.count) }
        defer { avahi_string_list_free(list) }
        return body(list)
    }
}
