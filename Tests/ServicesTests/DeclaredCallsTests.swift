// SPDX-License-Identifier: Apache-2.0

import JSON
import Remoting
import Testing

@testable import Services

@Suite("Calls that a RODL declares")
struct DeclaredCallsTests {
    private static let text = """
        {"Version": "4.0", "Services": [
            {"Name": "DataAbstractService", "Operations": [{"Name": "GetSchema"}]},
            {"Name": "Base", "Operations": [{"Name": "Ping"}, {"Name": "ORDER"}]},
            {"Name": "Shop", "Ancestor": "Base", "Operations": [
                {"Name": "Order", "Parameters": [
                    {"Name": "Total", "Flag": "Out", "DataType": "Currency"},
                    {"Name": "aItems", "Flag": "In", "DataType": "Items"},
                    {"Name": "Result", "Flag": "Result", "DataType": "Int64"},
                    {"Name": "aKind", "Flag": "InOut", "DataType": "kind"},
                    {"Name": "aMore", "Flag": "In", "DataType": "DataParameterArray"}]},
                {"Name": "Odd", "Parameters": [{"Name": "a", "DataType": "NullableInteger"}]},
                {"Name": "Bad", "Parameters": [{"Name": "a", "DataType": "Outer"}]},
                {"Name": "Twice", "Parameters": [{"Name": "a", "DataType": "Integer"}, {"Name": "A", "DataType": "Integer"}]}]},
            {"Name": "Data", "Ancestor": "DataAbstractService"}],
         "Structs": [
            {"Name": "Item", "Ancestor": "Thing", "Elements": [{"Name": "Price", "DataType": "Currency"}]},
            {"Name": "Thing", "Elements": [{"Name": "Name", "DataType": "WideString"}, {"Name": "Again", "DataType": "Items"}]},
            {"Name": "Gift", "Ancestor": "Item"}, {"Name": "Unused", "Elements": []},
            {"Name": "Outer", "Elements": [{"Name": "Inner", "DataType": "Strange"}]},
            {"Name": "Strange", "Elements": [{"Name": "X", "DataType": "Nothing"}]}],
         "Enums": [{"Name": "Kind", "Values": [{"Name": "Small"}, {"Name": "Large"}]}],
         "Arrays": [{"Name": "Items", "DataType": "Item"}]}
        """

    @Test("methods have their types, and the structs and enums that they use are named, ancestors first")
    func calls() throws {
        let calls = try RODLFile(parsing: Self.text).calls()
        #expect(calls.services.map(\.name) == ["Base", "Shop"])
        #expect(calls.services[1].methods.map(\.name) == ["Order", "Ping"])
        let kind = RemotingType.enumeration(names: ["Small", "Large"])
        let order = MethodSignature(
            "Order",
            [
                NamedType("aItems", .array(of: .structure("Item"))), NamedType("aKind", kind),
                NamedType("aMore", .array(of: .structure("DataParameter"))),
            ],
            results: [NamedType("Result", .int64), NamedType("Total", .currency), NamedType("aKind", kind)]
        )
        #expect(calls.services[1].methods[0] == order)
        #expect(calls.structs.map(\.name) == ["DataParameter", "Thing", "Item", "Gift"])
        #expect(calls.structs.last?.fields.map(\.name) == ["Name", "Again", "Price"])
        #expect(calls.enums.map(\.name) == ["Kind"] && calls.enums.map(\.values) == [["Small", "Large"]])
    }

    @Test("a method with a type that cannot be sent is left out, with the reason")
    func omissions() throws {
        let omitted = try RODLFile(parsing: Self.text).calls().omitted
        #expect(omitted.map(\.method) == ["Odd", "Bad", "Twice"])
        #expect(omitted[0].reason == .nullableType("NullableInteger", line: 0))
        #expect(omitted[1].reason == .unknownType("Outer", line: 0))
    }

    @Test("the RODL of the calls has the same calls")
    func roundTrip() throws {
        let calls = try RODLFile(parsing: Self.text).calls()
        let again = try RODLFile(parsing: calls.rodl.text).calls()
        #expect(again.services.map(\.methods) == calls.services.map(\.methods))
        let (file, written) = (try RODLFile(parsing: Self.text), try RODLFile(parsing: calls.rodl.text))
        for name in calls.structs.map(\.name) {
            #expect(written.structs.fields(of: name) == file.structs.fields(of: name), "\(name)")
        }
        #expect(again.enums.map(\.values) == calls.enums.map(\.values))
        #expect(again.omitted.isEmpty)
    }

    @Test("many methods, also those that many services inherit, are refused")
    func limits() throws {
        let methods = (0..<1_025).map { "<Operation Name='m\($0)'/>" }.joined()
        func library(_ services: String) -> String {
            "<Library><Service Name='A'>\(methods)</Service>\(services)</Library>"
        }
        #expect(throws: Never.self) { try RODLFile(parsing: library("")).calls() }
        #expect(throws: RODLError.tooMany("methods", limit: DeclaredCalls.limit)) {
            try RODLFile(parsing: library("<Service Name='B' Ancestor='A'/>")).calls()
        }
    }
}
