// SPDX-License-Identifier: Apache-2.0

import Glibc
package import NIOCore

/// The options of the command line.
package struct SampleOptions: Sendable {
    /// The addresses to listen on.
    package var addresses: [SocketAddress]
    /// The directory of the database file; created if it is missing.
    package var dataDirectory: String
    /// The lifetime of a session after its last call.
    package var sessionTimeout = Duration.seconds(600)
    /// LoginEx answers false to every client.
    package var refusesLogins = false
    /// LoginEx accepts any password for an existing account.
    package var acceptsAnyPassword = false
    /// A file that gets one line `Service.Method` for each call.
    package var requestLog: String?
    /// The delay of every reply.
    package var delay = Duration.zero
    /// The name under which to announce the service on the link; nil announces nothing.
    package var publishedName: String?
    /// Replies of at least this many bytes are compressed; nil disables compression.
    package var compressingFrom: Int? = 4096
    /// The level of compression, from 1, the fastest, to 9, the smallest.
    package var compressionLevel = 6
    /// The domains, schemas and accounts.
    package var catalog = ServedCatalog.builtIn
    /// The kind of server to imitate.
    package var kind = ServerKind.relativity
    /// The rule for the comparison of texts.
    package var collation = ServerCollation.binary
    /// The treatment of changes that fail.
    package var updates = UpdateRule.each
    /// How the row of an update or a delete is found.
    package var rowSearch = RowSearch.key
    /// Whether changes of a database file survive a loss of power.
    package var isDurable = true
    /// The form of the description of the services.
    package var descriptionForm = DescriptionForm.xml
    /// Whether a table request may have a UserFilter, a condition in the SQL of the database.
    package var allowsUserFilter = false
    /// The number of rows to add to the large built-in tables; 0 keeps them small.
    package var load = 0
    /// Whether copies of database files are served, which each start makes in the data directory.
    package var copiesFiles = false

    /// The file of the first schema.
    package var databasePath: String {
        catalog.domains.first?.schemas.first.map { path(of: $0.source) } ?? dataDirectory
    }

    /// Returns the path of the database of a schema.
    func path(of source: ServedSchema.Source) -> String {
        switch source {
        case .sample(let set): dataDirectory + "/" + set.rawValue
        case .file(let path): copiesFiles ? "\(dataDirectory)/copy\(catalog.files.firstIndex(of: path) ?? 0)" : path
        case .empty(let name): dataDirectory + "/" + name
        }
    }

    /// Whether the data directory is used.
    var usesDataDirectory: Bool { copiesFiles || catalog.usesDataDirectory }

    /// The defaults are those of the command line.
    package init(addresses: [SocketAddress], dataDirectory: String, requestLog: String? = nil) {
        self.addresses = addresses
        self.dataDirectory = dataDirectory
        self.requestLog = requestLog
    }
}

/// The reason why the sample server cannot start.
package enum SampleServerError: Error {
    /// A system call failed for a path.
    case system(call: String, path: String, errno: Int32)
    /// The database cannot be opened.
    case database(path: String, reason: String)
    /// An address cannot be bound.
    case cannotListen(address: String, reason: String)
}

extension SampleServerError: CustomStringConvertible {
    /// A sentence fragment.
    package var description: String {
        switch self {
        case .system(let call, let path, let errno): "\(call) of '\(path)' failed: \(String(cString: strerror(errno)))"
        case .database(let path, let reason): "cannot use the database '\(path)': \(reason)"
        case .cannotListen(let address, let reason): "cannot listen on \(address): \(reason)"
        }
    }
}
