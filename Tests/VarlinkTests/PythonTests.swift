// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Varlink

/// The client that others wrote: varlink from PyPI.
@Suite("Python client")
struct PythonTests {
    @Test("info, help and call of the outside client work")
    func commandLine() async throws {
        guard let client = try PythonClient.installed() else { return }
        defer { #expect(throws: Never.self) { try client.remove() } }
        try await TestServer.run { server in
            let address = "unix:\(server.path)"
            let info = try client.run("info", address)
            #expect(info.contains("Vendor: Example") && info.contains("org.example.test"))
            let help = try client.run("help", "\(address)/org.example.test")
            #expect(help.contains("method Echo(text: string) -> (text: string)"))
            let own = try client.run("help", "\(address)/org.varlink.service")
            #expect(own.contains("method GetInfo()"))
            let echo = try client.run("call", "\(address)/org.example.test.Echo", #"{"text":"h\u00e9"}"#)
            #expect(echo.contains(#""text""#) && !echo.contains("rror"))
            let count = try client.run("call", "-m", "\(address)/org.example.test.Count", #"{"to":3}"#)
            #expect(count.components(separatedBy: #""value""#).count == 4)
            let sad = try client.run("call", "\(address)/org.example.test.Fail", #"{"why":"rain"}"#)
            #expect(sad.contains("org.example.test.Sad") && sad.contains("rain"))
        }
    }

    @Test("the certification suite passes, with its client")
    func certification() async throws {
        guard let client = try PythonClient.installed() else { return }
        defer { #expect(throws: Never.self) { try client.remove() } }
        let file = "\(client.directory)/varlink/tests/org.varlink.certification.varlink"
        let interface = CertificationInterface(description: try String(contentsOfFile: file, encoding: .utf8))
        try await TestServer.run(others: [interface]) { server in
            let (status, output) = try client.runModule(
                "varlink.tests.test_certification",
                "--client",
                "--varlink=unix:\(server.path)"
            )
            #expect(status == 0, "\(output)")
            #expect(output.contains("Certification passed"), "\(output)")
        }
        #expect(interface.isDone)
    }
}
