// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Glibc
import NIOCore

/// Measures the decoding of a stream of tables that arrives in parts, every value made, and predicates on its rows.
///
///     table-probe write FILE ROWS   writes a table of eight columns
///     table-probe read FILE ROUNDS  decodes it and prints a line of JSON: p50 in nanoseconds, bytes, a checksum of all
///                                   values, and the greatest memory of the process in KiB
///     table-probe filter FILE ROUNDS  applies predicates to its rows, in memory, and prints a line of JSON for each: its
///                                   number, p50 in nanoseconds, and the number of rows
///     table-probe sort FILE ROUNDS  sorts a view of it by two keys, in two ways, and reads pages of the view
///     table-probe briefcase FILE ROUNDS  decodes it in memory, and loads a briefcase of it, every value made
///     table-probe export FILE ROWS  exports `ExportedSample` to SQLite, and kills itself after ROWS rows
///     table-probe resume FILE ROWS  does that in pages, and continues the export of an earlier run
///     table-probe sum ORDERS ROUNDS   sums the details of orders, ten each, and prints a line of JSON
///     table-probe updates|inserts SOCKET SERVICE TABLE COUNT  applies so many changes through an adapter, and prints lines
///                                   of JSON
@main
enum Probe {
    static func main() async {
        let arguments = CommandLine.arguments
        if arguments.count == 6, let kind = Apply.Kind(rawValue: arguments[1]), let count = Int(arguments[5]) {
            do {
                try await Apply.run(
                    kind,
                    socket: arguments[2],
                    service: arguments[3],
                    table: arguments[4],
                    count: count
                )
                exit(0)
            } catch {
                print("\(error)")
                exit(1)
            }
        }
        guard arguments.count == 4, let number = Int(arguments[3]), number >= 0 else {
            print(
                "usage: table-probe write|export|resume FILE ROWS, or table-probe read|filter|sort|briefcase|sum FILE ROUNDS"
            )
            exit(64)
        }
        do {
            switch arguments[1] {
            case "write": try write(arguments[2], rows: number)
            case "filter": try filter(arguments[2], rounds: number)
            case "sort": try Views.sort(arguments[2], rounds: number)
            case "briefcase": try Views.briefcase(arguments[2], rounds: number)
            case "export": try ExportedSample.export(to: arguments[2], stopAfter: number)
            case "resume": try ExportedSample.resume(arguments[2], stopAfter: number)
            case "sum": try Sum.run(orders: Int(arguments[2]) ?? 0, rounds: number)
            default: try measure(arguments[2], rounds: number)
            }
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    private static let columns = [
        DataColumn("Id", .autoInc), DataColumn("Name", .wideString), DataColumn("City", .string),
        DataColumn("Since", .dateTime), DataColumn("Turnover", .currency), DataColumn("Orders", .smallInt),
        DataColumn("IsActive", .boolean), DataColumn("Discount", .float),
    ]
    private static let cities = ["Berlin", "Hamburg", "Köln", "Ulm", "Garmisch-Partenkirchen"]

    /// Every eighth discount is null.
    private static func write(_ path: String, rows: Int) throws {
        var writer = TableStreamWriter()
        let schema = try TableSchema(fields: columns.map { SchemaEntry(field: $0.name, $0.type) })
        try writer.begin("Clients", columns: columns, schema: schema)
        for row in 0..<rows {
            try writer.append([
                .integer(Int64(row)), .text("Client \(row)"), .text(cities[row % cities.count]),
                .dateTime(days: 40_000 + Double(row) / 64), .currency(scaled: Int64(row) * 12_345),
                .integer(Int64(row % 1000)), .boolean(row % 3 == 0),
                row % 8 == 7 ? .null : .float(Double(row % 100) / 128),
            ])
        }
        let bytes = try writer.finish()
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        var rest = bytes.readableBytesView[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(1) }
            rest = rest.dropFirst(count)
        }
        guard close(descriptor) == 0 else { exit(1) }
    }

    private static func measure(_ path: String, rounds: Int) throws {
        var times: [Int] = []
        var result = Result()
        for _ in 0..<rounds {
            let start = nanoseconds()
            result = try decode(path)
            times.append(nanoseconds() - start)
        }
        times.sort()
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        print(
            "{\"name\": \"decode table\", \"p50\": \(times[times.count / 2]), \"bytes\": \(result.bytes), "
                + "\"rows\": \(result.rows), \"checksum\": \(result.checksum), \"memory\": \(usage.ru_maxrss)}"
        )
    }

    /// Benchmarks/tables.py has the same conditions in SQL, in this order.
    private static let predicates = [
        "Id > 900000", "City == 'Köln'", "Name BEGINSWITH 'Client 99'", "City IN {'Ulm', 'Berlin'}",
        "Turnover BETWEEN {1000, 50000}", "Name LIKE '*99*'", "City LIKE[c] 'k*'", "Discount IS NULL OR Orders < 10",
    ]

    private static func filter(_ path: String, rounds: Int) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var bytes = ByteBuffer()
        while bytes.writeWithUnsafeMutableBytes(
            minimumWritableBytes: 1 << 20,
            { max(0, read(descriptor, $0.baseAddress, $0.count)) }
        ) > 0 {}
        let table = try TableStream(decoding: bytes, limits: TableLimits(bytes: bytes.readableBytes)).tables[0]
        for (number, text) in predicates.enumerated() {
            var times: [Int] = []
            var count = 0
            for _ in 0..<rounds {
                let start = nanoseconds()
                let predicate = try CompiledPredicate(
                    Expression(predicate: text),
                    fields: table.columns
                )
                count = try predicate.indices(in: table.rows).count
                times.append(nanoseconds() - start)
            }
            times.sort()
            print("{\"name\": \"predicate \(number)\", \"p50\": \(times[times.count / 2]), \"rows\": \(count)}")
        }
    }

    private struct Result {
        var bytes = 0
        var rows = 0
        var checksum: UInt64 = 0
    }

    /// Decodes the file in parts of 64 KiB, as they arrive from a socket.
    private static func decode(_ path: String) throws -> Result {
        var result = Result()
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var decoder = TableStreamDecoder(tables: ["Clients"])
        while true {
            var part = ByteBuffer()
            let count = part.writeWithUnsafeMutableBytes(minimumWritableBytes: 64 << 10) { space in
                max(0, read(descriptor, space.baseAddress, 64 << 10))
            }
            guard count > 0 else { break }
            result.bytes += count
            decoder.feed(part)
            while let event = try decoder.next(waitsForBatch: true) {
                guard case .rows(let rows) = event else { continue }
                result.rows += rows.count
                rows.forEachValue { _, _, value in result.checksum &+= checksum(value) }
            }
        }
        try decoder.finish()
        return result
    }

    @inline(__always)
    static func checksum(_ value: DataValue) -> UInt64 {
        switch value {
        case .null: 1
        case .integer(let number), .currency(let number): UInt64(bitPattern: number)
        case .unsigned(let number): number
        case .float(let number), .dateTime(let number): number.bitPattern
        case .boolean(let isSet): isSet ? 1 : 0
        case .decimal(let number): UInt64(truncatingIfNeeded: number.magnitude)
        case .text(let text): UInt64(text.utf8.count)
        case .unreadable(let text): UInt64(text.bytes.count)
        case .bytes(let bytes): UInt64(bytes.readableBytes)
        }
    }

    static func nanoseconds() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
}
