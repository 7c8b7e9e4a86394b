// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOPosix
package import Remoting

/// The calls of one schema without a server, a login and messages, for tests that make many.
package struct LocalDataCalls: Sendable {
    private let schema: OpenSchema
    private let calls: DataCalls

    /// Opens an SQLite file.
    ///
    /// - Parameter schema: its source is not used.
    /// - Throws: `SampleServerError.database`.
    package init(_ schema: ServedSchema, database path: String, collation: ServerCollation) throws {
        var options = SampleOptions(addresses: [], dataDirectory: "")
        var served = schema
        served.source = .file(path)
        options.catalog = ServedCatalog(domains: [ServedDomain(name: "", schemas: [served])])
        options.collation = collation
        let schemas = try OpenSchemas(options)
        guard let open = schemas.schema(schema.name, of: "") else {
            throw SampleServerError.database(path: path, reason: "the schema is missing")
        }
        self.schema = open
        calls = DataCalls(schemas: schemas, options: options, pool: NIOThreadPool(numberOfThreads: 1))
    }

    /// Answers GetData. Blocks.
    ///
    /// - Parameter requests: one for each table.
    /// - Returns: the stream; nil without a table.
    /// - Throws: the errors of the server before they become exceptions.
    package func getData(_ tables: [String], _ requests: [RemotingStruct]) throws -> ByteBuffer? {
        let names = RemotingValue.array(tables.map { .utf8String($0) })
        let arguments = CallArguments([names, .array(requests.map { .structure($0) })])
        guard case .binary(let bytes) = try calls.data(arguments, schema) else { return nil }
        return bytes
    }
}
