// SPDX-License-Identifier: Apache-2.0

import TestSupport

extension Deployment {
    private static let catalog = """
        [open_service]
        name = "Open"
        domain = "DASamples"
        schema = "Simple"
        [[account]]
        user = "simple"
        password = "simple"
        [[account.right]]
        domain = "DASamples"
        schema = "Simple"
        [[domain]]
        name = "DASamples"
        [[domain.schema]]
        name = "Simple"
        database = "shop.sqlite"
        [[domain.schema.table]]
        name = "T"
        source = "t"
        """

    /// The options of a server for the table `T`. It has the service `Open`, which needs no login, and the usual account.
    ///
    /// - Parameters:
    ///   - fields: members of an inline table of TOML, one text for each field.
    ///   - sql: makes the table `t` and its rows.
    func tableOptions(_ fields: [String], sql: String) async throws -> [String] {
        _ = try await Command(["sqlite3", "-bail", home.path(of: "shop.sqlite")]).succeed(input: sql)
        let list = fields.map { "{ \($0) }" }.joined(separator: ", ")
        home.write(Array("\(Self.catalog)\nfield = [\(list)]\n".utf8), to: "catalog.toml")
        return ["--catalog", home.path(of: "catalog.toml")]
    }

    /// A daemon, and a server with the table `T` that was added as `sample`, without a login.
    @discardableResult
    func startTable(_ fields: [String], sql: String) async throws -> (daemon: Supervised, server: Supervised) {
        let options = try await tableOptions(fields, sql: sql)
        let daemon = try await startDaemon()
        let server = try await startServer(options)
        try await success("add", "sample", "127.0.0.1:\(server.port)")
        return (daemon, server.program)
    }
}
