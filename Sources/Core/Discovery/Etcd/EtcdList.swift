// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// The location of a shared list, and the means of access to it.
package struct EtcdList: Sendable, Hashable {
    /// The local name of the list: 1 to 63 letters, digits, `.`, `_` and `-`. It is also the domain of its instances.
    package var name: String
    /// 1 to 8 members of one cluster, each with its port. They are tried in turn.
    package var servers: [ServerURL]
    /// The prefix of the keys, which are `PREFIX/NAME`. It begins with a slash and does not end with one; printable
    /// ASCII, at most 255 bytes.
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

    /// Returns the list with the path of its password file, if that is named by a systemd credential.
    ///
    /// - Parameter directory: `$CREDENTIALS_DIRECTORY`; if nil, the credential is not found.
    package func resolvingCredentials(in directory: String?) -> EtcdList {
        guard let user, !user.passwordFile.hasPrefix("/") else { return self }
        var list = self
        list.user?.passwordFile = "\(directory ?? "/run/credentials")/\(user.passwordFile)"
        return list
    }
}

/// A user of etcd.
package struct EtcdUser: Sendable, Hashable {
    /// The name of the user in etcd, 1 to 255 bytes.
    package var name: String
    /// The path of a file whose first line is the password. It must be owned by this user or root, and closed to
    /// others. A name without a slash is that of a systemd credential (`resolvingCredentials`).
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
    /// The client certificate, for servers that require one. Set if and only if `key` is.
    package var certificate: String?
    /// The private key of `certificate`.
    package var key: String?

    /// Uses the system's authorities, and no client certificate.
    package init() {}
}
