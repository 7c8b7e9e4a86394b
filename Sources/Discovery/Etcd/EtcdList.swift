// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// The location of a shared list, and the means of access to it.
package struct EtcdList: Sendable, Hashable {
    /// The local name of the list. It is also the domain of its instances.
    package var name: String
    /// The members of one cluster, at least one. They are tried in turn.
    package var servers: [ServerURL]
    /// The prefix of the keys, which are `PREFIX/NAME`. It has no slash at its end.
    package var prefix: String
    /// The user to log in as; nil for access without authentication.
    package var user: EtcdUser?
    /// The files for https servers.
    package var tls = EtcdTLSFiles()
    /// The addresses that entries may point to.
    package var policy = NetworkPolicy()

    /// A list without authentication.
    package init(name: String, servers: [ServerURL], prefix: String) {
        self.name = name
        self.servers = servers
        self.prefix = prefix
    }

    /// The name of the source in sightings.
    package var source: SourceName { .etcd(name) }
}

/// A user of etcd.
package struct EtcdUser: Sendable, Hashable {
    /// The name of the user in etcd.
    package var name: String
    /// The path of a file whose first line is the password. It must be owned by this user or root, and closed to
    /// others.
    package var passwordFile: String

    /// A user with these values.
    package init(name: String, passwordFile: String) {
        self.name = name
        self.passwordFile = passwordFile
    }
}

/// The PEM files for TLS. They are read for each attempt to connect, so that they can be renewed.
package struct EtcdTLSFiles: Sendable, Hashable {
    /// The trusted authorities; nil for those of the system.
    package var authorities: String?
    /// The client certificate, for servers that require one. It needs `key`.
    package var certificate: String?
    /// The private key of `certificate`.
    package var key: String?

    /// Uses the system's authorities, and no client certificate.
    package init() {}
}
