// SPDX-License-Identifier: Apache-2.0

import Remoting
import TestSupport
import Testing

@testable import DataAbstract

@Suite("RODL files")
struct RODLFileTests {
    /// A thousand structs with the same ancestor of a thousand fields.
    private static let manyFields: String = {
        let fields = (0..<1000).map { "<Element Name='f\($0)' DataType='Integer'/>" }.joined()
        let heirs = (0..<1000).map { "<Struct Name='S\($0)' Ancestor='A'/>" }.joined()
        return "<Library><Struct Name='A'>\(fields)</Struct>\(heirs)</Library>"
    }()

    private static let text = """
        <?xml version="1.0" encoding="utf-8"?>
        <Library Name="Shop" UID="{A}" Version="3.0">
        <Services>
        <Service Name="BaseService" UID="{B}" Abstract="1">
        <Interfaces><Interface Name="Default" UID="{C}"><Operations>
        <Operation Name="Ping" UID="{D}"><Parameters>
        <Parameter Name="Result" DataType="Boolean" Flag="Result"/>
        </Parameters></Operation>
        </Operations></Interface></Interfaces>
        </Service>
        <Service Name="ShopService" UID="{E}" Ancestor="BaseService">
        <Documentation><![CDATA[Sells <things>.]]></Documentation>
        <Interfaces><Interface Name="Default" UID="{F}"><Operations>
        <Operation Name="Order" UID="{G}"><Parameters>
        <Parameter Name="Total" DataType="Currency" Flag="Out"/>
        <Parameter Name="aItems" DataType="Items" Flag="In"/>
        <Parameter Name="Result" DataType="Integer" Flag="Result"/>
        <Parameter Name="aKind" DataType="Kind" Flag="InOut"/>
        <Parameter Name="aMore" DataType="DataParameterArray" Flag="in"/>
        </Parameters></Operation>
        <Operation Name="Odd" UID="{H}"><Parameters>
        <Parameter Name="a" DataType="NullableInteger" Flag="In"/>
        </Parameters></Operation>
        <Operation Name="Loop" UID="{H}"><Parameters>
        <Parameter Name="a" DataType="LoopArray" Flag="In"/>
        </Parameters></Operation>
        </Operations></Interface></Interfaces>
        </Service>
        </Services>
        <EventSinks><EventSink Name="Sink"><Interfaces><Interface Name="Default"><Operations>
        <Operation Name="Fired"><Parameters>
        <Parameter Name="a" DataType="Integer" Flag="In"/>
        </Parameters></Operation>
        </Operations></Interface></Interfaces></EventSink></EventSinks>
        <Structs>
        <Struct Name="Thing" UID="{I}"><Elements><Element Name="Name" DataType="WideString"/></Elements></Struct>
        <Struct Name="Item" UID="{J}" Ancestor="Thing"><Elements>
        <Element Name="Price" DataType="Currency"/><Element Name="Amount" DataType="Integer"/>
        </Elements></Struct>
        <Struct Name="Strange" UID="{K}"><Elements><Element Name="X" DataType="Nothing"/></Elements></Struct>
        </Structs>
        <Enums><Enum Name="Kind" UID="{L}"><EnumValues>
        <EnumValue Name="Small"/><EnumValue Name="Large"/>
        </EnumValues></Enum></Enums>
        <Arrays>
        <Array Name="Items" UID="{M}"><ElementType DataType="Item"/></Array>
        <Array Name="LoopArray" UID="{N}"><ElementType DataType="LoopArray"/></Array>
        </Arrays>
        <Exceptions><Exception Name="Failed"><Elements><Element Name="Code" DataType="Integer"/></Elements></Exception>
        </Exceptions>
        </Library>
        """

    @Test("methods have their parameters and results in the order of the wire")
    func methods() throws {
        let file = try RODLFile(parsing: Self.text)
        let kind = RemotingType.enumeration(names: ["Small", "Large"])
        let order = MethodSignature(
            "Order",
            [
                NamedType("aItems", .array(of: .structure("Item"))), NamedType("aKind", kind),
                NamedType("aMore", .array(of: .structure("DataParameter"))),
            ],
            results: [NamedType("Result", .integer), NamedType("Total", .currency), NamedType("aKind", kind)]
        )
        #expect(try file.signature(of: "order", service: "shopservice") == order)
        #expect(try file.signature(of: "Order", service: "ShopService.Main") == order)
        let ping = MethodSignature("Ping", results: [NamedType("Result", .boolean)])
        #expect(try file.signature(of: "Ping", service: "ShopService") == ping)
        #expect(try file.signature(of: "Order", service: "BaseService") == nil)
        #expect(try file.signature(of: "Fired", service: "ShopService") == nil)
        #expect(try file.signature(of: "Fired", service: "Other") == nil)
    }

    @Test("structs have the fields of their ancestors, in the order of the wire")
    func structs() throws {
        let structs = try RODLFile(parsing: Self.text).structs
        #expect(structs.fields(of: "Item")?.map(\.name) == ["Amount", "Name", "Price"])
        #expect(structs.fields(of: "Thing")?.map(\.type) == [.wideString])
        #expect(structs.fields(of: "Strange") == nil && structs.fields(of: "Failed") == nil)
        #expect(structs.fields(of: "DataParameter") != nil)
    }

    @Test("a type that is not known spoils only the methods that use it")
    func unknownTypes() throws {
        let file = try RODLFile(parsing: Self.text)
        #expect(throws: RODLError.unknownType("NullableInteger", line: 22)) {
            try file.signature(of: "Odd", service: "ShopService")
        }
        #expect(throws: RODLError.malformed(reason: "types that contain each other", line: 47)) {
            try file.signature(of: "Loop", service: "ShopService")
        }
    }

    @Test(
        "errors have the line",
        arguments: [
            ("<Library>\n<Services>\n<Service/>", "line 3: an element 'service' without Name"),
            ("<schema/>", "line 1: no RODL: the root is not Library"),
            (
                "<Library><Service Name='S'><Operation Name='O'>\n<Parameter Name='a' DataType='Integer' Flag='x'/>",
                "line 2: 'x' is no flag of a parameter"
            ),
            ("<Library>\n<Structs></Library>", "line 2: mismatched tag"),
            ("<!DOCTYPE a [<!ENTITY b 'c'>]><Library/>", "line 1: a document type, which is not allowed"),
            (String(repeating: "<Library>", count: 40), "more than 32 levels"),
            ("<Library>" + String(repeating: "<a/>", count: 140_000), "more than 131072 elements"),
            (Self.manyFields, "more than 262144 fields"),
        ]
    )
    func faults(_ text: String, _ message: String) {
        do {
            _ = try RODLFile(parsing: text)
            Issue.record("no error")
        } catch {
            #expect("\(error)" == message)
        }
    }

    @Test("ancestors that form a circle have no methods")
    func circle() throws {
        let text =
            "<Library><Service Name='A' Ancestor='B'/><Service Name='B' Ancestor='A'/>"
            + "<Struct Name='C' Ancestor='D'/><Struct Name='D' Ancestor='C'/></Library>"
        let file = try RODLFile(parsing: text)
        #expect(try file.signature(of: "X", service: "A") == nil && file.structs.fields(of: "C") == nil)
    }

    @Test("a damaged file is an error or a file")
    func damage() {
        var random = SeededRandom(seed: 7)
        let bytes = Array(Self.text.utf8)
        for _ in 0..<200 {
            var damaged = bytes
            for _ in 0..<3 {
                damaged[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...127, using: &random)
            }
            damaged.removeLast(Int.random(in: 0..<bytes.count, using: &random) / 4)
            guard let file = try? RODLFile(parsing: String(decoding: damaged, as: UTF8.self)) else { continue }
            _ = try? file.signature(of: "Order", service: "ShopService")
        }
    }
}
