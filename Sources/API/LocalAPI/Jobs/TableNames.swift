// SPDX-License-Identifier: Apache-2.0

package import JSON

/// The names of the tables and fields of servers whose schema was read, for completion in a shell. They are kept in a
/// file, so that completion asks no server.
package struct TableNames: JSONRecord {
    /// The fields of a table.
    package struct Table: JSONRecord {
        /// The name of the table. Untrusted, as the names of the fields.
        package var name: String
        /// The names of the fields.
        package var fields: [String]

        /// Creates a table with these fields.
        package init(_ name: String, fields: [String] = []) {
            (self.name, self.fields) = (name, fields)
        }

        package static let members: [JSONMember<Self>] = [.init("name", \.name), .init("fields", \.fields)]
    }

    /// The tables of one data service.
    private struct Service: JSONRecord {
        /// The ID of the endpoint.
        var endpoint: String
        /// The name of the endpoint. Untrusted, as the names of the tables.
        var name: String
        /// The name of the data service.
        var service: String
        /// The names of the tables.
        var tables: [String]
        /// Their fields. Files of 0.2.0 have none.
        var fields: [Table]?

        static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("name", \.name), .init("service", \.service),
            .init("tables", \.tables), .init("fields", \.fields),
        ]
    }

    /// The name of the file.
    package static let file = "table-names"
    /// The maximum size of the file in bytes.
    package static let maximumBytes = 1 << 20
    /// The maximum number of services. The one that was read first is evicted.
    package static let mostServices = 32
    /// The maximum number of tables of a service.
    package static let mostTables = 500
    /// The maximum number of fields of a table.
    package static let mostFields = 100
    /// The maximum length of a name in bytes. A longer one is left out.
    package static let longestName = 64

    private static let limits = JSONLimits(depth: 8, bytes: maximumBytes, values: 1 << 16)

    private var services: [Service] = []

    /// Creates an empty list.
    package init() {}

    /// Reads a file; empty if it is damaged.
    package init(parsing text: [UInt8]) {
        let value = try? JSONValue(parsing: text, limits: Self.limits)
        self = value.flatMap { try? TableNames(jsonValue: $0) } ?? TableNames()
    }

    package static let members: [JSONMember<Self>] = [.init("services", \.services)]

    /// Replaces the tables of a service. Services that were read first are evicted while the file would be too large.
    package mutating func set(_ tables: [Table], of adapter: JobAdapter) {
        let names = [adapter.identity ?? "", adapter.name, adapter.service]
        guard names.allSatisfy(Self.isShort) else { return }
        let fields = tables.filter { Self.isShort($0.name) }.prefix(Self.mostTables).map {
            Table($0.name, fields: Array($0.fields.filter(Self.isShort).prefix(Self.mostFields)))
        }
        let service = Service(
            endpoint: names[0],
            name: names[1],
            service: names[2],
            tables: fields.map(\.name),
            fields: fields
        )
        services.removeAll { $0.endpoint == service.endpoint && $0.service == service.service }
        services = services.suffix(Self.mostServices - 1) + [service]
        while isTooLarge, services.count > 1 { services.removeFirst() }
        if isTooLarge { services[0].fields = [] }
    }

    private var isTooLarge: Bool {
        let names = services.reduce(0) { count, service in
            count + service.tables.count + (service.fields ?? []).reduce(0) { $0 + $1.fields.count + 3 } + 5
        }
        return names > Self.limits.values || json.text.utf8.count > Self.maximumBytes
    }

    /// Returns the tables of the endpoint that a command line names, in order, each once.
    ///
    /// - Parameter words: those of the command line. The word after `--schema` restricts the service.
    package func tables(for words: [String]) -> [String] {
        var seen: Set<String> = []
        return services(for: words).flatMap(\.tables).filter { seen.insert($0).inserted }
    }

    /// Returns the fields of the tables that a command line names, in order, each once.
    package func fields(for words: [String]) -> [String] {
        var seen: Set<String> = []
        let tables = services(for: words).flatMap { $0.fields ?? [] }.filter { words.contains($0.name) }
        return tables.flatMap(\.fields).filter { seen.insert($0).inserted }
    }

    private func services(for words: [String]) -> [Service] {
        let schema = words.firstIndex(of: "--schema").flatMap { index in words.dropFirst(index + 1).first }
        return services.filter { service in
            (words.contains(service.name) || words.contains(service.endpoint))
                && schema.map { service.service.hasSuffix(".\($0)") } ?? true
        }
    }

    private static func isShort(_ name: String) -> Bool { name.utf8.count <= longestName }
}
