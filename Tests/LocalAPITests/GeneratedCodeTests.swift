// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import TestSupport
import Testing
import Varlink

@testable import varlink_generate

@Suite("The generated code")
struct GeneratedCodeTests {
    @Test(
        "the committed files are those that `make generate` writes",
        arguments: ["Manager", "Registry", "Credentials", "Broker", "Audit", "Adapters"]
    )
    func upToDate(interface: String) throws {
        let sources = Sources.root + "/Sources/API"
        let text = TextFile.text(of: "\(sources)/LocalAPI/Interfaces/org.relativityd.\(interface).varlink")
        #expect((InterfaceText.all + [InterfaceText.adapters]).contains(text))
        let description = try VarlinkDescription(parsing: text)
        let names = try InterfaceNames(description, namespace: "\(interface)API")
        let types = TypesFile(description: description, names: names, definition: text, access: "public")
        #expect(try types.text() == TextFile.text(of: "\(sources)/LocalAPI/Generated/\(interface)API.swift"))
        let server = ServerFile(description: description, names: names, module: "LocalAPI")
        let path = "\(sources)/LocalAPIServer/Generated/\(interface)APIServer.swift"
        #expect(server.text() == TextFile.text(of: path))
    }

    @Test("the committed errors are those of all interfaces")
    func errors() throws {
        let interfaces = try InterfaceText.all.map { text in
            let description = try VarlinkDescription(parsing: text)
            let name = try #require(description.name.split(separator: ".").last)
            return (namespace: "\(name)API", description: description)
        }
        let file = ErrorsFile(interfaces: interfaces, name: "DaemonError", access: "public")
        let path = Sources.root + "/Sources/API/LocalAPI/Generated/DaemonError.swift"
        #expect(try file.text() == TextFile.text(of: path))
    }
}
