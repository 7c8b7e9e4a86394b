// SPDX-License-Identifier: Apache-2.0

package import JSON

/// The names of the tables of servers whose schema was read, for completion in a shell. They are kept in a file, so
/// that completion asks no server.
package struct TableNames: JobRecord {
    /// The tables of one data service.
    package struct Service: JobRecord {
        /// The ID of the endpoint.
        package var endpoint = ""
        /// The name of the endpoint. Untrusted, as the names of the tables.
        package var name = ""
        /// The name of the data service.
        package var service = ""
        /// The names of the tables.
        package var tables: [String] = []

        /// Creates a service without tables.
        package init() {}

        package mutating func code(with coder: inout JobCoder) throws(JSONShapeError) {
            try coder.member("endpoint", required: &endpoint)
            try coder.member("name", required: &name)
            try coder.member("service", required: &service)
            try coder.member("tables", required: &tables)
        }
    }

    /// The name of the file.
    package static let file = "table-names"
    /// The maximum size of the file in bytes.
    package static let maximumBytes = 1 << 20
    /// The maximum number of services. The one that was read first is evicted.
    package static let mostServices = 32
    /// The maximum number of tables of a service.
    package static let mostTables = 500
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

    package mutating func code(with coder: inout JobCoder) throws(JSONShapeError) {
        try coder.member("services", required: &services)
    }

    /// Replaces the tables of a service.
    package mutating func set(_ tables: [String], of adapter: JobAdapter) {
        var service = Service()
        service.endpoint = adapter.identity ?? ""
        service.name = adapter.name
        service.service = adapter.service
        guard [service.endpoint, service.name, service.service].allSatisfy(Self.isShort) else { return }
        service.tables = Array(tables.filter(Self.isShort).prefix(Self.mostTables))
        services.removeAll { $0.endpoint == service.endpoint && $0.service == service.service }
        services = services.suffix(Self.mostServices - 1) + [service]
    }

    /// Returns the tables of the endpoint that a command line names, in order, each once.
    ///
    /// - Parameter words: those of the command line. The word after `--schema` restricts the service.
    package func tables(for words: [String]) -> [String] {
        let schema = words.firstIndex(of: "--schema").flatMap { index in words.dropFirst(index + 1).first }
        var seen: Set<String> = []
        return services.filter { service in
            (words.contains(service.name) || words.contains(service.endpoint))
                && schema.map { service.service.hasSuffix(".\($0)") } ?? true
        }.flatMap(\.tables).filter { seen.insert($0).inserted }
    }

    private static func isShort(_ name: String) -> Bool { name.utf8.count <= longestName }
}
