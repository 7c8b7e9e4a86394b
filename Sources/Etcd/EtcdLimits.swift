// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// The limits of the resources that one list may use, and the timeouts.
package struct EtcdLimits: Sendable, Hashable {
    /// The number of entries that are kept. Further ones are only counted.
    package var entries = 4_096
    /// The number of keys in one request; fewer if their values are large.
    package var page = 256
    /// The length of one entry's value.
    package var valueBytes = 4_096
    /// The length of one reply, or of one watch response. etcd's own limit of a request is 1.5 MiB, which Base64
    /// makes 2 MiB.
    package var messageBytes = 8 << 20
    /// The length of an entry's TXT strings, each with a length byte (RFC 6763, section 6.2).
    package var textBytes = TXTStrings.maximumBytes
    /// The timeout for connecting, with TLS.
    package var connectTimeout = Duration.seconds(3)
    /// The timeout for a complete reply.
    package var replyTimeout = Duration.seconds(10)
    /// The interval of health checks during a watch, because etcd itself sends nothing for 10 minutes.
    package var checkEvery = Duration.seconds(30)
    /// The interval at which host names in entries are looked up again.
    package var lookUpEvery = Duration.seconds(300)

    /// The default limits.
    package init() {}
}
