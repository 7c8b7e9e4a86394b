// SPDX-License-Identifier: Apache-2.0

/// The catalogs that need no file.
extension ServedCatalog {
    /// The domains of the vendor's samples, with the accounts of their documentation.
    package static let builtIn = ServedCatalog(
        domains: [
            ServedDomain(name: "DASamples", schemas: [sample("Simple", .simple), sample("PCTrade", .trade)]),
            ServedDomain(name: "PCTrade Sample", schemas: [sample("PCTrade", .trade2011)]),
        ],
        accounts: [
            ServedAccount(
                user: "simple",
                password: "simple",
                rights: [ServedRight(domain: "DASamples", schema: "Simple")]
            ),
            .everything,
        ],
        openService: OpenService(name: "DASampleService", domain: "DASamples", schema: "Simple")
    )

    /// The vendor's DASampleServer: a server of its own with one service that requires no login.
    package static let custom = ServedCatalog(
        domains: [ServedDomain(name: "DASampleServer", schemas: [sample("Workers", .workers)])],
        openService: OpenService(name: "DASampleService", domain: "DASampleServer", schema: "Workers")
    )

    /// Every table of an SQLite file. The domain and the schema have the name of the file without its last extension.
    package init(databaseFile path: String) {
        let name = Self.stem(of: path)
        let schema = ServedSchema(name: name, source: .file(path), tables: nil)
        self.init(domains: [ServedDomain(name: name, schemas: [schema])])
    }

    private static func sample(_ name: String, _ set: SampleSet) -> ServedSchema {
        ServedSchema(
            name: name,
            source: .sample(set),
            tables: set.tables.map(\.table),
            relationships: set.relationships,
            commands: set.commands
        )
    }
}
