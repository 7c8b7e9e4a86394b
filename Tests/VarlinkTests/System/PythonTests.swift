// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import Varlink

@Suite(
    "The independent client",
    .enabled(if: Requirement.allMet([.program(Sources.python)], for: "the Python client"), "scripts/python-env.sh"),
    .timeLimit(.minutes(1))
)
struct PythonTests {
    @Test("info, help and call of the independent client work")
    func commandLine() async throws {
        try await TestServer.run { server in
            let address = "unix:\(server.path)"
            let info = try await PythonClient.run("info", address)
            #expect(info.contains("Vendor: Example") && info.contains("org.example.test"))
            let help = try await PythonClient.run("help", "\(address)/org.example.test")
            #expect(help.contains("method Echo(text: string) -> (text: string)"))
            let own = try await PythonClient.run("help", "\(address)/org.varlink.service")
            #expect(own.contains("method GetInfo()"))
            let echo = try await PythonClient.run("call", "\(address)/org.example.test.Echo", #"{"text":"h\u00e9"}"#)
            #expect(echo.contains(#""text""#) && !echo.contains("rror"))
            let count = try await PythonClient.run("call", "-m", "\(address)/org.example.test.Count", #"{"to":3}"#)
            #expect(count.matches(of: /"value"/).count == 3)
            let sad = try await PythonClient.run("call", "\(address)/org.example.test.Fail", #"{"why":"rain"}"#)
            #expect(sad.contains("org.example.test.Sad") && sad.contains("rain"))
        }
    }

    @Test("the client of the certification suite passes against the server of this package")
    func certification() async throws {
        let directory = TemporaryDirectory()
        let description = try await PythonClient.testDirectory() + "/org.varlink.certification.varlink"
        let socket = directory.path(of: "s")
        let server = try ChildProcess([Products.path(of: "varlink-certification"), socket, description])
        #expect(try await BlockingWork.run { server.readOutput() } == Array("ready\n".utf8))
        let client = [Sources.python, "-m", "varlink.tests.test_certification", "--client", "--varlink=unix:\(socket)"]
        // Twice, because one run must not affect the next.
        for _ in 1...2 {
            #expect(try await Command(client).succeed().contains("Certification passed"))
        }
        server.closeInput()
        #expect(try await BlockingWork.run { server.wait() } == 0)
    }
}
