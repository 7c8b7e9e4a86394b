// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// Where a shared list is, and how to get at it.
package struct EtcdList: Sendable, Hashable {
    /// What the list is called here, and the domain of the instances that it names.
    package var name: String
    /// At least one; members of one cluster, asked in turn.
    package var servers: [ServerURL]
    /// Entries are the keys `PREFIX/NAME`. Without a slash at its end.
    package var prefix: String
    package var user: EtcdUser?
    package var tls = EtcdTLSFiles()
    /// Where entries may lead.
    package var policy = NetworkPolicy()

    package init(name: String, servers: [ServerURL], prefix: String) {
        self.name = name
        self.servers = servers
        self.prefix = prefix
    }

    package var source: SourceName { .etcd(name) }
}

/// A user of etcd.
package struct EtcdUser: Sendable, Hashable {
    package var name: String
    /// A file whose first line is the password: ours or root's, and closed to others.
    package var passwordFile: String

    package init(name: String, passwordFile: String) {
        self.name = name
        self.passwordFile = passwordFile
    }
}

/// PEM files for connections with TLS, read for each attempt to connect, so that they can be renewed.
package struct EtcdTLSFiles: Sendable, Hashable {
    /// The authorities whose certificates count; without it those of the system.
    package var authorities: String?
    /// What we show where the server wants to know who we are, with its key: both or neither.
    package var certificate: String?
    package var key: String?

    package init() {}
}
