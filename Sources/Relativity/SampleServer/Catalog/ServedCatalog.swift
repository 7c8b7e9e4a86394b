// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// Everything that a sample server serves: domains with schemas, the accounts, and the service without a login.
///
/// This model has no connection to a database. Names of domains, schemas, tables, fields and commands are compared
/// ignoring case, as Data Abstract servers do.
package struct ServedCatalog: Hashable, Sendable {
    /// At least one. Logins that name no domain use the first.
    package var domains: [ServedDomain]
    /// The accounts; user names are compared with case.
    var accounts = [ServedAccount.everything]
    /// The service that requires no login; nil if there is none.
    var openService: OpenService?

    /// Returns a domain, or nil if there is none with this name.
    func domain(_ name: String) -> ServedDomain? { domains.first { $0.name.isSame(as: name) } }

    /// Returns a schema, or nil if there is none with these names.
    func schema(_ name: String, of domain: String) -> ServedSchema? { self.domain(domain)?.schema(name) }
}

/// A service that every client may call without a login. It has one schema.
struct OpenService: Hashable, Sendable {
    let name: String
    /// The domain of its schema.
    let domain: String
    /// The name of its schema.
    let schema: String
}

/// A domain: a group of schemas that one login can use.
package struct ServedDomain: Hashable, Sendable {
    /// The name, as in login strings.
    package let name: String
    /// At least one.
    package var schemas: [ServedSchema]

    /// Returns a schema, or nil if there is none with this name.
    func schema(_ name: String) -> ServedSchema? { schemas.first { $0.name.isSame(as: name) } }
}

/// A schema: the tables, relationships and commands of one database.
package struct ServedSchema: Hashable, Sendable {
    /// The location of the rows.
    package enum Source: Hashable, Sendable {
        /// Made-up rows, in a file of the data directory.
        case sample(SampleSet)
        /// An existing SQLite file.
        case file(String)
        /// The tables of the schema without rows, in a file of the data directory with this name.
        case empty(String)
    }

    /// The name, as in login strings and after `DataService.`.
    package let name: String
    /// The database.
    package internal(set) var source: Source
    /// The tables, in the order of the schema. Nil serves every table of the file.
    package var tables: [ServedTable]?
    /// The references between tables.
    package var relationships: [KeyReference]
    /// The order in which changes are applied; empty for the order of the client.
    package var updateRules: [SchemaUpdateRule]
    /// The commands that clients can execute.
    package var commands: [ServedCommand]

    /// Creates a schema.
    package init(
        name: String,
        source: Source,
        tables: [ServedTable]?,
        relationships: [KeyReference] = [],
        updateRules: [SchemaUpdateRule] = [],
        commands: [ServedCommand] = []
    ) {
        self.name = name
        self.source = source
        self.tables = tables
        self.relationships = relationships
        self.updateRules = updateRules
        self.commands = commands
    }

    /// Returns a table, or nil if there is none with this name.
    func table(_ name: String) -> ServedTable? { tables?.first { $0.name.isSame(as: name) } }

    /// Returns a command, or nil if there is none with this name.
    func command(_ name: String) -> ServedCommand? { commands.first { $0.name.isSame(as: name) } }
}

/// An account and the schemas that it may use.
struct ServedAccount: Hashable, Sendable {
    /// The account of the vendor's documentation, for every schema.
    static let everything = ServedAccount(user: "Data", password: "Relativity", rights: [ServedRight()])

    let user: String
    /// The password, which the sample server prints nowhere unless asked to. It is for trials and not kept secret.
    let password: String
    /// The rights; a schema that none of them covers is refused.
    let rights: [ServedRight]

    /// Returns the right to a schema, or nil if the account has none.
    func right(to schema: String, of domain: String) -> ServedRight? {
        rights.first { right in
            (right.domain ?? domain).isSame(as: domain) && (right.schema ?? schema).isSame(as: schema)
        }
    }
}

/// The right to use a schema.
struct ServedRight: Hashable, Sendable {
    /// Nil for every domain.
    var domain: String?
    /// Nil for every schema of the domain.
    var schema: String?
    /// Whether the account may change rows and execute commands.
    var mayWrite = true
}

extension String {
    /// Whether two names are the same for a Data Abstract server, that is, ignoring case.
    func isSame(as other: String) -> Bool { self == other || lowercased() == other.lowercased() }
}

extension ServedCatalog {
    private var sources: [ServedSchema.Source] { domains.flatMap { $0.schemas.map(\.source) } }

    /// Whether a schema has its database in the data directory.
    var usesDataDirectory: Bool { sources.contains { if case .file = $0 { false } else { true } } }

    /// The paths of the existing files, in the order of the schemas.
    var files: [String] { sources.compactMap { if case .file(let path) = $0 { path } else { nil } } }

    /// The logins that the server accepts: each account with each schema that it may use.
    package var logins: [ServedLogin] {
        accounts.flatMap { account in
            domains.flatMap { domain in
                domain.schemas.filter { account.right(to: $0.name, of: domain.name) != nil }.map { schema in
                    ServedLogin(
                        user: account.user,
                        password: account.password,
                        domain: domain.name,
                        schema: schema.name
                    )
                }
            }
        }
    }
}

/// The fields of a login that a sample server accepts.
package struct ServedLogin: Hashable, Sendable {
    package let user: String
    package let password: String
    package let domain: String
    package let schema: String
}
