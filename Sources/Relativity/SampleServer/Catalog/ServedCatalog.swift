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
    package var accounts: [ServedAccount]
    /// The service that requires no login; nil if there is none.
    package var openService: OpenService?

    /// Creates a catalog.
    package init(domains: [ServedDomain], accounts: [ServedAccount], openService: OpenService? = nil) {
        self.domains = domains
        self.accounts = accounts
        self.openService = openService
    }

    /// Returns a domain, or nil if there is none with this name.
    package func domain(_ name: String) -> ServedDomain? { domains.first { $0.name.isSame(as: name) } }

    /// Returns a schema, or nil if there is none with these names.
    package func schema(_ name: String, of domain: String) -> ServedSchema? { self.domain(domain)?.schema(name) }
}

/// A service that every client may call without a login. It has one schema.
package struct OpenService: Hashable, Sendable {
    /// The name of the service.
    package let name: String
    /// The domain of its schema.
    package let domain: String
    /// The name of its schema.
    package let schema: String

    /// Creates a service.
    package init(name: String, domain: String, schema: String) {
        self.name = name
        self.domain = domain
        self.schema = schema
    }
}

/// A domain: a group of schemas that one login can use.
package struct ServedDomain: Hashable, Sendable {
    /// The name, as in login strings.
    package let name: String
    /// At least one.
    package var schemas: [ServedSchema]

    /// Creates a domain.
    package init(name: String, schemas: [ServedSchema]) {
        self.name = name
        self.schemas = schemas
    }

    /// Returns a schema, or nil if there is none with this name.
    package func schema(_ name: String) -> ServedSchema? { schemas.first { $0.name.isSame(as: name) } }
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
    package let source: Source
    /// The tables, in the order of the schema. Nil serves every table of the file.
    package var tables: [ServedTable]?
    /// The references between tables.
    package var relationships: [ServedRelationship]
    /// The order in which changes are applied; empty for the order of the client.
    package var updateRules: [ServedUpdateRule]
    /// The commands that clients can execute.
    package var commands: [ServedCommand]

    /// Creates a schema.
    package init(
        name: String,
        source: Source,
        tables: [ServedTable]?,
        relationships: [ServedRelationship] = [],
        updateRules: [ServedUpdateRule] = [],
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

/// A reference: the values of a field of the detail table are keys of the master table.
package struct ServedRelationship: Hashable, Sendable {
    /// The table that is referred to.
    package let master: String
    /// Its key field.
    package let masterField: String
    /// The table that refers.
    package let detail: String
    /// Its field.
    package let detailField: String

    /// Creates a relationship.
    package init(master: String, _ masterField: String, detail: String, _ detailField: String) {
        self.master = master
        self.masterField = masterField
        self.detail = detail
        self.detailField = detailField
    }
}

/// A rule of a schema: when the changes of a table are applied. All changes of the first rule come first. A change of a
/// table that rules name, but of another kind than theirs, is not applied.
package struct ServedUpdateRule: Hashable, Sendable {
    /// The name of the table.
    package let table: String
    /// The kinds of changes.
    package let kinds: [DeltaChange.Kind]

    /// Creates a rule.
    package init(_ table: String, _ kinds: [DeltaChange.Kind]) {
        self.table = table
        self.kinds = kinds
    }
}

/// An account and the schemas that it may use.
package struct ServedAccount: Hashable, Sendable {
    /// The user name.
    package let user: String
    /// The password, which the sample server prints nowhere unless asked to. It is for trials and not kept secret.
    package let password: String
    /// The rights; a schema that none of them covers is refused.
    package let rights: [ServedRight]

    /// Creates an account.
    package init(user: String, password: String, rights: [ServedRight]) {
        self.user = user
        self.password = password
        self.rights = rights
    }

    /// Returns the right to a schema, or nil if the account has none.
    func right(to schema: String, of domain: String) -> ServedRight? {
        rights.first { right in
            (right.domain ?? domain).isSame(as: domain) && (right.schema ?? schema).isSame(as: schema)
        }
    }
}

/// The right to use a schema.
package struct ServedRight: Hashable, Sendable {
    /// Nil for every domain.
    package let domain: String?
    /// Nil for every schema of the domain.
    package let schema: String?
    /// Whether the account may change rows and execute commands.
    package let mayWrite: Bool

    /// Creates a right.
    package init(domain: String? = nil, schema: String? = nil, mayWrite: Bool = true) {
        self.domain = domain
        self.schema = schema
        self.mayWrite = mayWrite
    }
}

extension String {
    /// Whether two names are the same for a Data Abstract server, that is, ignoring case.
    func isSame(as other: String) -> Bool { self == other || lowercased() == other.lowercased() }
}

extension ServedCatalog {
    private var sources: [ServedSchema.Source] { domains.flatMap { $0.schemas.map(\.source) } }

    /// Whether a schema has its database in the data directory.
    package var usesDataDirectory: Bool { sources.contains { if case .file = $0 { false } else { true } } }

    /// The paths of the existing files, in the order of the schemas.
    package var files: [String] { sources.compactMap { if case .file(let path) = $0 { path } else { nil } } }

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
