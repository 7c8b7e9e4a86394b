// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// The varlink package of PyPI, the client that others wrote.
enum PythonClient {
    /// What `python3 -m varlink.cli` prints to both of its outputs.
    static func run(_ arguments: String...) async throws -> String {
        let output = try await Command([Sources.python, "-m", "varlink.cli"] + arguments).run()
        return output.standardOutput + output.standardError
    }

    /// Where the files of its own tests are.
    static func testDirectory() async throws -> String {
        let program = "import os, varlink.tests.test_certification as t; print(os.path.dirname(t.__file__))"
        return String(try await Command([Sources.python, "-c", program]).succeed().dropLast())
    }
}
