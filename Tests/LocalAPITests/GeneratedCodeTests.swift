// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import TestSupport
import Testing
import Varlink

@testable import varlink_generate

@Suite("The generated code")
struct GeneratedCodeTests {
    private static let shared = SharedTypes(parsing: TextFile.text(of: Sources.root + "/scripts/shared-types.txt"))
    private static let texts = InterfaceText.all + [InterfaceText.adapters, InterfaceText.data]

    @Test(
        "the committed files are those that `make generate` writes",
        arguments: ["Manager", "Registry", "Credentials", "Broker", "Audit", "Adapters", "Data"]
    )
    func upToDate(interface: String) throws {
        let api = Sources.root + "/Sources/API"
        let text = TextFile.text(of: "\(api)/LocalAPI/Interfaces/org.relativityd.\(interface).varlink")
        #expect(Self.texts.contains(text))
        let description = try VarlinkDescription(parsing: text)
        let names = try InterfaceNames(description, namespace: "\(interface)API", shared: Self.shared)
        let types = TypesFile(
            description: description,
            names: names,
            access: "public",
            sharedModule: "Endpoints"
        )
        #expect(types.text() == TextFile.text(of: "\(api)/LocalAPI/Generated/\(interface)API.swift"))
        let server = ServerFile(description: description, names: names, module: "LocalAPI")
        let folder =
            interface == "Data" ? Sources.root + "/Sources/Programs/relativityd-data" : "\(api)/LocalAPIServer"
        #expect(server.text() == TextFile.text(of: "\(folder)/Generated/\(interface)APIServer.swift"))
    }

    @Test("the committed shared types are those of all interfaces of the daemon, and each has a name in the list")
    func shared() throws {
        let files = try (InterfaceText.all + [InterfaceText.adapters]).map { text in
            let description = try VarlinkDescription(parsing: text)
            let name = try #require(description.name.split(separator: ".").last)
            let names = try InterfaceNames(description, namespace: "\(name)API", shared: Self.shared)
            return TypesFile(description: description, names: names, access: "public")
        }
        let path = Sources.root + "/Sources/Base/Endpoints/Generated/SharedTypes.swift"
        #expect(SharedFile(interfaces: files).text() == TextFile.text(of: path))
    }

    @Test(
        "the committed errors are those of all interfaces",
        arguments: [("DaemonError", InterfaceText.all), ("DataError", [InterfaceText.data])]
    )
    func errors(name: String, texts: [String]) throws {
        let interfaces = try texts.map { text in
            let description = try VarlinkDescription(parsing: text)
            let name = try #require(description.name.split(separator: ".").last)
            return (names: try InterfaceNames(description, namespace: "\(name)API"), description: description)
        }
        let file = ErrorsFile(interfaces: interfaces, name: name, access: "public")
        let path = Sources.root + "/Sources/API/LocalAPI/Generated/\(name).swift"
        #expect(try file.text() == TextFile.text(of: path))
    }
}
