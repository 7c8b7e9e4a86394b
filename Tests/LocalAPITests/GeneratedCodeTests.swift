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
        let types = TypesFile(description: description, names: names, access: "public")
        #expect(types.text() == TextFile.text(of: "\(sources)/LocalAPI/Generated/\(interface)API.swift"))
        let server = ServerFile(description: description, names: names, module: "LocalAPI")
        let path = "\(sources)/LocalAPIServer/Generated/\(interface)APIServer.swift"
        #expect(server.text() == TextFile.text(of: path))
    }

    @Test("the committed files of the helper for data are those that `make generate` writes")
    func data() throws {
        let description = try VarlinkDescription(parsing: InterfaceText.data)
        let names = try InterfaceNames(description, namespace: "DataAPI")
        let folder = Sources.root + "/Sources/API/LocalAPI"
        let text = TextFile.text(of: "\(folder)/Interfaces/org.relativityd.Data.varlink")
        #expect(InterfaceText.data == text)
        let types = TypesFile(description: description, names: names, access: "public")
        #expect(types.text() == TextFile.text(of: "\(folder)/Generated/DataAPI.swift"))
        let server = ServerFile(description: description, names: names, module: "LocalAPI")
        let path = Sources.root + "/Sources/Programs/relativityd-data/Generated/DataAPIServer.swift"
        #expect(server.text() == TextFile.text(of: path))
        let errors = ErrorsFile(
            interfaces: [(names: names, description: description)],
            name: "DataError",
            access: "public"
        )
        #expect(try errors.text() == TextFile.text(of: "\(folder)/Generated/DataError.swift"))
    }

    @Test("the committed errors are those of all interfaces")
    func errors() throws {
        let interfaces = try InterfaceText.all.map { text in
            let description = try VarlinkDescription(parsing: text)
            let name = try #require(description.name.split(separator: ".").last)
            return (names: try InterfaceNames(description, namespace: "\(name)API"), description: description)
        }
        let file = ErrorsFile(interfaces: interfaces, name: "DaemonError", access: "public")
        let path = Sources.root + "/Sources/API/LocalAPI/Generated/DaemonError.swift"
        #expect(try file.text() == TextFile.text(of: path))
    }
}
