// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import JSON
import Testing

@testable import DataAccess

@Suite("Code for services") struct ServiceCodeTests {
    private static let text = """
        {"Version": "4.0", "Services": [{"Name": "Shop", "Operations": [
            {"Name": "Order", "Parameters": [
                {"Name": "aItems", "Flag": "In", "DataType": "Items"}, {"Name": "class", "Flag": "InOut", "DataType": "Kind"},
                {"Name": "Result", "Flag": "Result", "DataType": "Int64"}]},
            {"Name": "Find", "Parameters": [{"Name": "Result", "Flag": "Result", "DataType": "Item"}]},
            {"Name": "Ping"}]}],
         "Structs": [{"Name": "Item", "Elements": [{"Name": "a b", "DataType": "Currency"}]},
                     {"Name": "Gift", "Ancestor": "Item", "Elements": [{"Name": "When", "DataType": "DateTime"}]}],
         "Enums": [{"Name": "Kind", "Values": [{"Name": "Small"}, {"Name": "None"}]}],
         "Arrays": [{"Name": "Items", "DataType": "Item"}]}
        """

    private static func calls() throws -> DeclaredCalls { try RODLFile(parsing: text).calls() }

    @Test("Python has a class for each service, struct and enum")
    func python() throws {
        let code = try #require(ServiceCode.code(for: try Self.calls(), in: .python))
        #expect(code.contains("\nclass Kind(Enum):\n    Small = \"Small\"\n    None_ = \"None\"\n"))
        #expect(code.contains("\n@dataclass\nclass Item:\n    a_b: Decimal\n"))
        #expect(code.contains("\n@dataclass\nclass Gift(Item):\n    a_b: Decimal\n    When: datetime\n"))
        #expect(code.contains("\nclass _Shop_Order(NamedTuple):\n    Result: int\n    class_: Kind\n"))
        let list = "aItems: list[Item] | None, class_: Kind"
        #expect(code.contains("\n    def Order(self, \(list)) -> _Shop_Order:\n"))
        #expect(code.contains("\n    def Find(self) -> Item:\n") && code.contains("\n    def Ping(self) -> None:\n"))
    }

    @Test("TypeScript has the values of the API")
    func typescript() throws {
        let code = try #require(ServiceCode.code(for: try Self.calls(), in: .typescript))
        #expect(code.contains("\nexport type Kind = \"Small\" | \"None\"\n"))
        #expect(code.contains("  readonly \"a b\": string\n  readonly \"When\": string\n"))
        let result = "{ readonly \"Result\": string; readonly \"class\": Kind }"
        #expect(
            code.contains("  async Order(aItems: ReadonlyArray<Item> | null, class_: Kind): Promise<\(result)> {\n")
        )
        #expect(code.contains("parameters: { [\"aItems\"]: aItems, [\"class\"]: class_ }"))
    }

    @Test("OpenAPI has a path for each method, and a schema for each type")
    func openAPI() throws {
        let document = ServiceOpenAPI(try Self.calls(), path: "/call/x.Call", server: ["type": "object"]).document
        let paths = try document.object("paths")
        #expect(paths.map(\.key) == ["/call/x.Call/Shop/Order", "/call/x.Call/Shop/Find", "/call/x.Call/Shop/Ping"])
        let schemas = try document.object("components").object("schemas")
        #expect(schemas.map(\.key) == ["Server", "Error", "Kind", "Item", "Gift"])
        #expect(try schemas.object("Gift")["required"] == ["a b", "When"])
    }

    @Test("a long description is not in the code")
    func long() throws {
        let methods = (0..<2_000).map { "<Operation Name='\(String(repeating: "m", count: 60))\($0)'/>" }.joined()
        let calls = try RODLFile(parsing: "<Library><Service Name='A'>\(methods)</Service></Library>").calls()
        let code = try #require(ServiceCode.code(for: calls, in: .python))
        #expect(ServiceCode.rodl(of: calls) == nil && code.contains("\nRODL: str | None = None\n"))
    }
}
