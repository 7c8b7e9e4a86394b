// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// What one list may cost, and how soon trouble is noticed.
package struct EtcdLimits: Sendable, Hashable {
    /// Entries that are kept; others are counted.
    package var entries = 4_096
    /// Keys that are asked for at a time; fewer where their values are large.
    package var page = 256
    /// Bytes of one entry's value.
    package var valueBytes = 4_096
    /// Bytes of one reply, or of one piece of news: etcd's own bound of a request is 1.5 MiB, which Base64 makes 2.
    package var messageBytes = 8 << 20
    /// Bytes of an entry's TXT strings, each with a length byte (RFC 6763, section 6.2).
    package var textBytes = TXTStrings.maximumBytes
    /// Until there is a connection, with TLS.
    package var connectTimeout = Duration.seconds(3)
    /// Until a reply is complete.
    package var replyTimeout = Duration.seconds(10)
    /// While news are awaited, etcd is asked so often whether it lives: it says nothing of its own accord for 10 minutes.
    package var checkEvery = Duration.seconds(30)
    /// Host names in entries are looked up anew so often.
    package var lookUpEvery = Duration.seconds(300)

    package init() {}
}
