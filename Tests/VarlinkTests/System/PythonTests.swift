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
    @Test("the client of the certification suite passes against the server of this package")
    func certification() async throws {
        let directory = TemporaryDirectory()
        let program = "import os, varlink.tests.test_certification as t; print(os.path.dirname(t.__file__))"
        let folder = try await Command([Sources.python, "-c", program]).succeed().dropLast()
        let description = "\(folder)/org.varlink.certification.varlink"
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
