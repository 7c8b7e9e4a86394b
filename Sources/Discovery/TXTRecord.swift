// SPDX-License-Identifier: Apache-2.0

internal import CAvahi
internal import Endpoints

/// The strings of a TXT record in wire order, with limits (RFC 6763, section 6).
struct TXTRecord: Sendable, Hashable {
    let strings: [[UInt8]]
    /// Whether strings were left out, from the end.
    let isTruncated: Bool

    init(_ strings: [[UInt8]]) {
        self.strings = Array(TXTStrings.fitting(strings))
        isTruncated = self.strings.count < strings.count
    }

    /// Copies Avahi's list. In a list from libavahi-client, the head is the first string on the wire.
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
        // In a list to be sent, the last string comes first, unlike in a received one.
        let list = strings.reduce(nil) { avahi_string_list_add_arbitrary($0, $1, $1.count) }
        defer { avahi_string_list_free(list) }
        return body(list)
    }
}
