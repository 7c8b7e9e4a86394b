// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI

/// A sample server of a sandbox.
struct SandboxServer: Hashable {
    /// The name in the list, and that of the login: `sample`, `sample2` and so on.
    let name: String
    /// The options of the program that say what it serves.
    let arguments: [String]
}

/// What the servers of a sandbox serve, and as whom they are used.
struct SandboxOptions: ParsableArguments {
    private static let most = 16

    @Option(
        name: .customLong("database"),
        help: ArgumentHelp("A server with a copy of an SQLite database. Can be repeated.", valueName: "file"),
        completion: .file()
    )
    var databases: [String] = []

    @Option(
        name: .customLong("catalog"),
        help: ArgumentHelp(
            "A server with the domains, schemas and accounts of a TOML file, and copies of its databases. Can be repeated.",
            valueName: "file"
        ),
        completion: .file()
    )
    var catalogs: [String] = []

    @Option(help: ArgumentHelp("So many servers. Those without a file have the sample tables.", valueName: "number"))
    var servers: Int?

    @Option(help: ArgumentHelp("Add rows to the large sample tables until they have this many.", valueName: "number"))
    var rows: Int?

    @Option(help: ArgumentHelp("Log in as this user (default: the first account of the server).", valueName: "name"))
    var user: String?

    @Option(
        help: ArgumentHelp("Log in to this domain (default: the first that the account may use).", valueName: "name")
    )
    var domain: String?

    @Option(
        help: ArgumentHelp("Log in to this schema (default: the first that the account may use).", valueName: "name")
    )
    var schema: String?

    func validate() throws {
        let files = databases.count + catalogs.count
        let count = servers ?? max(1, files)
        guard count >= max(1, files), count <= Self.most else {
            throw ValidationError("there are 1 to \(Self.most) servers, and --servers is at least the number of files")
        }
        guard rows == nil || count > files else {
            throw ValidationError("--rows is for the sample tables: add a server without a file by --servers")
        }
    }

    /// The servers: those of the databases, of the catalogs, and with the sample tables, in this order.
    var planned: [SandboxServer] {
        let files = databases.map { ["--database", $0, "--copy"] } + catalogs.map { ["--catalog", $0, "--copy"] }
        let samples = max((servers ?? 1) - files.count, 0)
        let load = rows.map { ["--rows", "\($0)"] } ?? []
        return (files + Array(repeating: load, count: samples)).enumerated().map { index, arguments in
            SandboxServer(name: index == 0 ? "sample" : "sample\(index + 1)", arguments: arguments)
        }
    }

    var wish: SandboxLogin.Wish { SandboxLogin.Wish(user: user, domain: domain, schema: schema) }
}

/// A login that a sample server accepts.
struct SandboxLogin: Hashable {
    /// The fields that the user has named. Nil accepts any.
    struct Wish: Hashable {
        var user: String?
        var domain: String?
        var schema: String?
    }

    let user: String
    /// It is public, as all passwords of a sample server.
    let password: String
    let domain: String
    let schema: String

    /// Reads an element of the server's `logins.json`.
    init(_ object: JSONObject) throws {
        user = try object.string("user")
        password = try object.string("password")
        domain = try object.string("domain")
        schema = try object.string("schema")
    }

    /// Servers compare user names with case, and others without.
    fileprivate func satisfies(_ wish: Wish) -> Bool {
        wish.user ?? user == user && (wish.domain ?? domain).lowercased() == domain.lowercased()
            && (wish.schema ?? schema).lowercased() == schema.lowercased()
    }
}

extension [SandboxLogin] {
    /// Returns the first login with the named fields; nil for a server that has no accounts, if no field is named.
    ///
    /// - Throws: a failure that lists the logins if none has these fields.
    func chosen(_ wish: SandboxLogin.Wish) throws -> SandboxLogin? {
        if let login = first(where: { $0.satisfies(wish) }) { return login }
        guard !isEmpty || wish != SandboxLogin.Wish() else { return nil }
        let known = map {
            "--user \(Printable($0.user)) --domain '\(Printable($0.domain))' --schema \(Printable($0.schema))"
        }
        throw Failure(
            .notFound,
            "the server accepts no such login; it accepts: \(known.isEmpty ? "none" : known.joined(separator: ", "))"
        )
    }
}
