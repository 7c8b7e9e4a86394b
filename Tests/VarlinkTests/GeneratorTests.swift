// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing
import Varlink

@testable import varlink_generate

@Suite("Swift code that is generated for an interface")
struct GeneratorTests {
    private static let press = "Tests/Interfaces/org.example.press.varlink"

    @Test("the committed files are those that the generator writes")
    func upToDate() throws {
        let text = TextFile.text(of: "\(Sources.root)/\(Self.press)")
        #expect(text == PressAPI.definition)
        let description = try VarlinkDescription(parsing: text)
        let names = try InterfaceNames(description, namespace: "PressAPI")
        let types = TypesFile(description: description, names: names, access: "internal")
        #expect(types.text() == TextFile.text(of: Sources.root + "/Tests/VarlinkTests/Generated/PressAPI.swift"))
        let server = ServerFile(description: description, names: names, module: nil)
        #expect(server.text() == TextFile.text(of: Sources.root + "/Tests/VarlinkTests/Generated/PressAPIServer.swift"))
        let errors = ErrorsFile(interfaces: [(names, description)], name: "PressError", access: "internal")
        #expect(try errors.text() == TextFile.text(of: Sources.root + "/Tests/VarlinkTests/Generated/PressError.swift"))
    }

    @Test("the interface of every service is made by the generator too, in the modules that its code imports")
    func service() throws {
        let folder = Sources.root + "/Sources/Varlink"
        let text = TextFile.text(of: "\(folder)/Varlink/Interfaces/org.varlink.service.varlink")
        #expect(text == ServiceAPI.definition)
        let description = try VarlinkDescription(parsing: text)
        let names = try InterfaceNames(description, namespace: "ServiceAPI")
        let types = TypesFile(description: description, names: names, access: "public", home: "Varlink")
        #expect(types.text() == TextFile.text(of: "\(folder)/Varlink/Generated/ServiceAPI.swift"))
        let server = ServerFile(description: description, names: names, module: nil, home: "VarlinkService")
        #expect(server.text() == TextFile.text(of: "\(folder)/VarlinkService/Generated/ServiceAPIServer.swift"))
        let errors = ErrorsFile(
            interfaces: [(names, description)],
            name: "ServiceError",
            access: "public",
            home: "Varlink"
        )
        #expect(try errors.text() == TextFile.text(of: "\(folder)/Varlink/Generated/ServiceError.swift"))
    }

    @Test(
        "two errors or parameters that would have one name are an error",
        arguments: [
            ("error Jam ()", "jam"), ("error JAM ()", "jam"), ("error Torn (code: int)", "code"),
            ("error Torn (sheet: string)", "sheet"),
        ]
    )
    func sameErrors(text: String, name: String) throws {
        let one = try VarlinkDescription(parsing: "interface org.example.x\nerror Jam (sheet: int)")
        let other = try VarlinkDescription(parsing: "interface org.example.y\n" + text)
        let interfaces = try [("X", one), ("Y", other)].map { (try InterfaceNames($1, namespace: $0), $1) }
        let file = ErrorsFile(interfaces: interfaces, name: "XError", access: "public")
        #expect(throws: GeneratorError.nameTaken(name)) { try file.text() }
    }

    @Test(
        "names that are invalid in Swift are errors",
        arguments: [
            ("type Open (a: int)\ntype OpenCall (a: int)\nmethod Open() -> ()", GeneratorError.nameTaken("OpenCall")),
            ("type A (x: (b, c), X: (d, e))", .nameTaken("X")),
            ("type Method (a: int)", .nameTaken("Method")),
            ("type Press (a: int)", .nameTaken("Press")),
            ("type A (swift: (a, b))", .nameTaken("Swift")),
            ("method URL() -> ()\nmethod Url() -> ()", .nameTaken("Url")),
            ("method A(reply: (b, c)) -> ()", .nameTaken("Reply")),
            ("type A (b: B)\ntype B (c: ?A)", .endless("A")),
            ("type A (a: (b: A))", .endless("A")),
        ]
    )
    func refused(text: String, error: GeneratorError) throws {
        let description = try VarlinkDescription(parsing: "interface org.example.x\n" + text)
        #expect(throws: error) { try InterfaceNames(description, namespace: "Press") }
    }

    @Test(
        "methods become functions, and keywords of Swift are quoted",
        arguments: [
            ("Open", "open"), ("GetInfo", "getInfo"), ("Import", "`import`"), ("URL", "url"), ("URLs", "urls"),
            ("TLSKey", "tlsKey"), ("A", "a"), ("X509Name", "x509Name"),
        ]
    )
    func methods(name: String, expected: String) {
        #expect(SwiftNames.method(name) == expected)
    }

    @Test("an enum value keeps its spelling on the wire, whatever its name in Swift")
    func words() {
        #expect(PressAPI.Ink.allCases.map(\.rawValue) == ["black", "blue", "default", "json"])
    }

    @Test("an unknown member is ignored, an absent one may be missing if it is optional, and the error names any other")
    func members() throws {
        #expect(try PressAPI.Print(json: ["id": 1, "later": ["a": 1]]) == PressAPI.Print(id: 1))
        let error = try #require(throws: JSONShapeError.self) { try PressAPI.Print(json: ["next": []]) }
        #expect(error.path == "id")
    }

    @Test("access levels are those of the declarations")
    func access() throws {
        let text = "interface org.example.x\nmethod A(b: ?int) -> ()\n"
        let description = try VarlinkDescription(parsing: text)
        let names = try InterfaceNames(description, namespace: "X")
        for access in ["public", "package"] {
            let file = TypesFile(description: description, names: names, access: access).text()
            for line in ["enum X {", "struct ACall: VarlinkMethodCall {", "var b: Int64?", "init(b: Int64? = nil) {"] {
                #expect(file.contains("    \(access) \(line)") || file.contains("\n\(access) \(line)"), "\(line)")
            }
        }
    }
}
