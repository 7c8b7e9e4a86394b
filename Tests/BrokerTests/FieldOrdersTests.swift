// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Remoting
import Testing

@testable import Broker

/// Requests for data whose bytes mean one thing to a server that reads fields by their names, and another to one that
/// reads them in another order.
@Suite struct FieldOrdersTests {
    private static let sql = "1=1; DELETE FROM Customers"

    private func isReading(_ infos: [RemotingValue]) throws -> Bool {
        var writer = RequestMessage.writer(clientID: ClientID(), service: "DataService", method: "GetData")
        writer.write(RemotingValue.array(infos.map { _ in .utf8String("Customers") }))
        writer.write(RemotingValue.array(infos))
        return ToolCall(try RequestMessage(decoding: writer.buffer), isLogin: false).isReading
    }

    private func info(
        _ className: String = "TableRequestInfo",
        most: Int32 = -1,
        parameters: [RemotingValue] = [],
        _ own: [NamedValue] = []
    ) -> RemotingValue {
        let usual: [NamedValue] = [
            .init("IncludeSchema", .boolean(true)), .init("MaxRecords", .integer(most)),
            .init("Parameters", .array(parameters)), .init("UserFilter", .utf8String("")),
        ]
        return .structure(RemotingStruct(className, usual + own))
    }

    private func five(
        _ select: [String] = [],
        most: Int32 = -1,
        sortedBy column: String = "",
        where clause: String = ""
    )
        -> RemotingValue
    {
        let sorting = [NamedValue("FieldName", .utf8String(column)), NamedValue("SortDirection", .enumeration(0))]
        return info(
            "TableRequestInfoV5",
            most: most,
            [
                .init("DynamicSelectFieldNames", .array(select.map { .utf8String($0) })),
                .init("Sorting", .structure(RemotingStruct("ColumnSorting", sorting))),
                .init("WhereClause", .xml(clause)),
            ]
        )
    }

    private func parameter(_ name: String, _ value: RemotingVariant) -> RemotingValue {
        let fields = [NamedValue("Name", .utf8String(name)), NamedValue("Value", .variant(value))]
        return .structure(RemotingStruct("DataParameter", fields))
    }

    private func byteCount(_ values: [RemotingValue]) -> Int32 {
        var writer = BinMessageWriter()
        for value in values { writer.write(value) }
        return Int32(writer.buffer.readableBytes)
    }

    @Test("parameters that another order reads as a filter are refused, and the same with another limit are not")
    func parameters() throws {
        for className in ["TableRequestInfo", "TableRequestInfoV6"] {
            let own = className.hasSuffix("V6") ? [NamedValue("Sql", .wideString(""))] : []
            let parameters = [parameter(Self.sql, .null)]
            // All bytes but the last become the filter after IncludeSchema. The rest is a number and a null array.
            let count = byteCount([.array(parameters)]) - 1
            let attack = info(className, most: count, parameters: parameters, own)
            #expect(try !isReading([attack]), "\(className)")
            #expect(try !isReading([info(), attack]), "\(className)")
            #expect(try isReading([info(className, parameters: parameters, own)]), "\(className)")
            #expect(try isReading([info(className, most: 1000, parameters: parameters, own)]), "\(className)")
        }
    }

    @Test("a column name that is a filter in another order is refused, and so are all fields after it")
    func columns() throws {
        // The flag and the first bytes of the count are the filter's length, 257; five bytes follow before the name.
        let filter = Self.sql + String(repeating: " ", count: 257 - 5 - Self.sql.utf8.count)
        let left = five()
        guard case .structure(let fields) = left else { return #expect(Bool(false)) }
        // Then come true, 1 and a null array, and null for the columns and the order. The rest is the condition.
        let rest = byteCount(Array(fields.values.dropFirst()))
        let tail = "\u{1}\0\0\0" + "\u{1}\0\0\0" + "\0\0\0" + "\(Character(UnicodeScalar(UInt8(rest))))\0\0\0"
        #expect(try !isReading([five([filter + tail])]))
        // The fields that follow fit as well.
        #expect(try !isReading([five([filter])]))
        // A single text may be read as the filter after IncludeSchema without parameters. A plain name means nothing
        // there.
        #expect(try !isReading([five([Self.sql])]))
        for name in ["City", "DepId_2", "Größe"] { #expect(try isReading([five([name])]), "\(name)") }
        for name in ["f()", "a or b", "a\nUNION\nSELECT\nb", "f\n(\n)"] {
            #expect(try !isReading([five([name])]), "\(name)")
        }
    }

    @Test("a class of the server is refused wherever an order has one")
    func classes() throws {
        #expect(try !isReading([info("TableRequestInfoV9")]))
        #expect(try !isReading([info(), info("Own")]))
    }

    @Test("usual requests count as reading: any limit, number of tables, columns, order, condition and parameters")
    func usual() throws {
        let six = info("TableRequestInfoV6", [NamedValue("Sql", .wideString(""))])
        let clause =
            "<query><where><unaryoperation operator=\"Not\"><field>City</field></unaryoperation></where></query>"
        for tables in 1...3 {
            for most in [-1, 0, 1, 2, 5, 10, 25, 50, 100, 1000, 65_536, 1_000_000] + Array(3...60) as [Int32] {
                #expect(try isReading(Array(repeating: info(most: most), count: tables)), "\(tables) \(most)")
                #expect(try isReading(Array(repeating: five(most: most), count: tables)), "\(tables) \(most)")
            }
        }
        #expect(try isReading([info(), five(["Id", "Name", "City"]), six]))
        #expect(try isReading([five(["Id", "Name"], sortedBy: "Name", where: clause)]))
        #expect(try isReading([five(sortedBy: "Name"), five(where: clause)]))
        let values: [RemotingVariant] = [.int32(7), .string("Bern"), .null, .double(0.5), .boolean(true)]
        #expect(try isReading([info(parameters: values.map { parameter("City", $0) })]))
        #expect(try isReading(Array(repeating: info(), count: 32)))
    }

    @Test("table infos that would take too long to check are refused quickly")
    func bound() throws {
        let many = Array(
            repeating: info(parameters: Array(repeating: parameter("a", .int32(1)), count: 200)),
            count: 500
        )
        #expect(try !isReading(many))
    }
}
