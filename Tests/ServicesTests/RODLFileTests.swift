// SPDX-License-Identifier: Apache-2.0

import Remoting
import TestSupport
import Testing

@testable import Services

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
        #expect(throws: RODLError.nullableType("NullableInteger", line: 22)) {
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
            ("<schema/>", "line 1: no RODL: the root is schema, not Library"),
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

    /// A library that uses that of the vendor, in both forms.
    private static let forms = [
        """
        <Library Name="Stock" Version="3.0"><Uses><Use Name="DataAbstract4" Rodl="DataAbstract4.RODL"/></Uses>
        <Structs><Struct Name="Level" Ancestor="UserInfo"><Elements><Element Name="Item" DataType="WideString"/>
        </Elements></Struct></Structs><Enums><Enum Name="Kind" Prefix="0"><EnumValues><EnumValue Name="raw"/>
        <EnumValue Name="made"/></EnumValues></Enum></Enums>
        <Arrays><Array Name="Levels"><ElementType DataType="Level"/></Array></Arrays>
        <EventSinks><EventSink Name="Sink"><Interfaces><Interface><Operations><Operation Name="Fired"/></Operations>
        </Interface></Interfaces></EventSink></EventSinks>
        <Services><Service Name="StockService" Ancestor="DataAbstractService"><Interfaces><Interface Name="Default">
        <Operations><Operation Name="LevelsOf"><Parameters><Parameter Name="Result" Flag="Result" DataType="Levels"/>
        <Parameter Name="aKind" Flag="In" DataType="Kind"/>
        <Parameter Name="aOrder" Flag="InOut" DataType="ColumnSortDirection"/>
        <Parameter Name="aMore" Flag="In" DataType="DataParameterArray"/>
        </Parameters></Operation><Operation Name="Next"><Parameters>
        <Parameter Name="aNext" Flag="Out" DataType="NullableInteger"/></Parameters></Operation></Operations>
        </Interface></Interfaces></Service></Services></Library>
        """,
        """
        {"Version":"4.0","Name":"Stock","Uses":[{"Name":"DataAbstract4","Rodl":"DataAbstract4.RODL"}],
        "Structs":[{"Name":"Level","Ancestor":"UserInfo","Elements":[{"Name":"Item","DataType":"WideString"}]}],
        "Enums":[{"Name":"Kind","Prefix":false,"Values":[{"Name":"raw"},{"Name":"made"}]}],
        "Arrays":[{"Name":"Levels","DataType":"Level"}],
        "EventSinks":[{"Name":"Sink","Operations":[{"Name":"Fired"}]}],
        "Services":[{"Name":"StockService","Ancestor":"DataAbstractService","Operations":[
        {"Name":"LevelsOf","Parameters":[{"Name":"Result","Flag":"result","DataType":"Levels"},
        {"Name":"aKind","Flag":"in","DataType":"Kind"},
        {"Name":"aOrder","Flag":"inout","DataType":"ColumnSortDirection"},
        {"Name":"aMore","Flag":"in","DataType":"DataParameterArray"}]},
        {"Name":"Next","Parameters":[{"Name":"aNext","Flag":"out","DataType":"NullableInteger"}]}]}]}
        """,
    ]

    @Test("XML and JSON mean the same, and a used library of the vendor is known", arguments: forms)
    func usedLibrary(text: String) throws {
        let file = try RODLFile(parsing: text)
        let direction = RemotingType.enumeration(names: ["Ascending", "Descending"])
        let own = MethodSignature(
            "LevelsOf",
            [
                NamedType("aKind", .enumeration(names: ["raw", "made"])), NamedType("aOrder", direction),
                NamedType("aMore", .array(of: .structure("DataParameter"))),
            ],
            results: [NamedType("Result", .array(of: .structure("Level"))), NamedType("aOrder", direction)]
        )
        #expect(try file.signature(of: "levelsof", service: "StockService") == own)
        #expect(file.structs.fields(of: "Level")?.count == 6)
        // The methods of the ancestor are those of the vendor.
        for method in ServiceCatalog.services.last?.methods ?? [] {
            #expect(try file.signature(of: method.name, service: "stockservice") == method)
        }
        #expect(try file.signature(of: "Fired", service: "StockService") == nil)
        #expect(throws: RODLError.self) { try file.signature(of: "Next", service: "StockService") }
        let services = try file.services()
        #expect(services.map(\.name) == ["StockService"] && services[0].ancestor == "DataAbstractService")
        #expect(services[0].methods.map(\.name).prefix(3) == ["LevelsOf", "Next", "GetSchema"])
        let levels = services[0].methods[0]
        #expect(levels.result == "Levels" && levels.origin == "StockService")
        #expect(levels.parameters.map(\.direction) == ["in", "inout", "in"])
        #expect(services[0].methods[1].parameters.map(\.type) == ["NullableInteger"])
        let data = services[0].methods[3]
        #expect(data.name == "GetData" && data.origin == "DataAbstractService" && data.result == "Binary")
        #expect(data.parameters.map(\.type) == ["StringArray", "TableRequestInfoArray"])
    }

    @Test("a file has its declared encoding, and a wrong byte matters only in a name")
    func encodings() throws {
        let start = "<?xml version='1.0' encoding='utf-8'?><Library><Service Name='S'>"
        func file(_ documentation: [UInt8], _ name: [UInt8], _ head: String) throws -> [DescribedService] {
            let documentation = Array("<Documentation>".utf8) + documentation + Array("</Documentation>".utf8)
            let operation = Array("<Operation Name='".utf8) + name + Array("'/></Service></Library>\0".utf8)
            return try RODLFile(file: Array(head.utf8) + documentation + operation).services()
        }
        #expect(try file([0xE4], Array("Größe".utf8), " \n" + start)[0].methods.map(\.name) == ["Größe"])
        #expect(throws: RODLError.self) { try file([], [0xE4], start) }
        let latin = start.replacing("utf-8", with: "iso-8859-1")
        #expect(try file([0xE4], [0x47, 0xE4], latin)[0].methods.map(\.name) == ["Gä"])
        let wide = Self.forms[0].utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try RODLFile(file: [0xFF, 0xFE] + wide).services().count == 1)
        #expect(throws: RODLError.malformed(reason: "the encoding 'x' is not supported", line: 1)) {
            try RODLFile(file: Array("<?xml version='1.0' encoding='x'?><Library/>".utf8))
        }
    }

    @Test(
        "JSON that is no RODL is an error",
        arguments: [
            ("{\n\"a\":}", "line 2: unexpected byte"), ("{}", "no RODL: the object has no Version"),
            (#"{"Version":"4.0","Services":[1]}"#, "an element of Services is no object"),
            (#"{"Version":"4.0","Services":[{}]}"#, "an element 'service' without Name"),
            (
                #"{"Version":"4.0","Services":[{"Name":"S","Operations":[{"Name":"O","Parameters":[{"Name":"p"}]}]}]}"#,
                "an element 'parameter' without DataType"
            ),
            (#"{"Version":"4.0","Arrays":[{"Name":"A"}]}"#, "an element 'elementtype' without DataType"),
        ]
    )
    func jsonFaults(_ text: String, _ message: String) {
        do {
            _ = try RODLFile(parsing: text)
            Issue.record("no error")
        } catch {
            #expect("\(error)" == message)
        }
    }

    @Test("many services with the same long line of ancestors are too many methods")
    func manyMethods() throws {
        let operations = (0..<1000).map { "<Operation Name='o\($0)'/>" }.joined()
        let heirs = (0..<1000).map { "<Service Name='S\($0)' Ancestor='A'/>" }.joined()
        let file = try RODLFile(parsing: "<Library><Service Name='A'>\(operations)</Service>\(heirs)</Library>")
        #expect(throws: RODLError.tooMany("methods", limit: 1 << 18)) { try file.services() }
    }

    @Test("every type of Data Abstract has its name")
    func names() {
        for method in ServiceCatalog.services.flatMap(\.methods) {
            for declared in method.parameters + method.results {
                #expect(RODLTypes.type(named: RODLTypes.name(of: declared.type)) == declared.type)
            }
        }
    }

    @Test(
        "a page that is no description is named",
        arguments: [
            (404, "<p>", "has no description of its services at this path (HTTP status 404)"),
            (405, "", "answers no GET at this path (HTTP status 405)"),
            (401, "{}", "does not give its description without a login"),
            (503, "", "answered HTTP status 503 instead of a description of its services"),
            (200, " \n", "answered an empty page instead of a description of its services"),
            (
                200, "<?xml version='1.0'?><!-- a --> <!DOCTYPE HTML><p>hi",
                "answered an HTML page instead of a description of its services"
            ),
            (
                200, "\n<html><form><INPUT type='password'></form></html>",
                "answered a login page instead of a description of its services"
            ),
            (
                403, "<html>",
                "answered an HTML page instead of a description of its services (HTTP status 403)"
            ),
            (200, "hello", "answered text that is neither XML nor JSON instead of a description of its services"),
        ]
    )
    func pages(_ status: Int, _ body: String, _ message: String) {
        do {
            _ = try ServicePage.rodl(status: status, Array(body.utf8))
            Issue.record("no error")
        } catch {
            #expect("\(error)" == message)
        }
    }

    @Test("a description may mention HTML")
    func mention() throws {
        let text = "<Library><Documentation><![CDATA[<html> type='password']]></Documentation></Library>"
        #expect(try ServicePage.rodl(status: 200, Array(text.utf8)).services().isEmpty)
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
        for number in 0..<300 {
            let bytes = Array([Self.text, Self.forms[1]][number % 2].utf8)
            var damaged = bytes
            for _ in 0..<3 {
                damaged[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...127, using: &random)
            }
            damaged.removeLast(Int.random(in: 0..<bytes.count, using: &random) / 4)
            guard let file = try? RODLFile(file: damaged) else { continue }
            _ = try? file.services()
            _ = try? file.signature(of: "Order", service: "ShopService")
        }
    }
}
