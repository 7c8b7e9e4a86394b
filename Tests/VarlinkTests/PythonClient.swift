// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// The varlink package of PyPI, an independent client.
enum PythonClient {
    /// The output of `python3 -m varlink.cli`, standard output and standard error together.
    static func run(_ arguments: String...) async throws -> String {
        let output = try await Command([Sources.python, "-m", "varlink.cli"] + arguments).run()
        return output.standardOutput + output.standardError
    }

    /// The directory of the package's own tests.
    static func testDirectory() async throws -> String {
        let program = "import os, varlink.tests.test_certification as t; print(os.path.dirname(t.__file__))"
        return String(try await Command([Sources.python, "-c", program]).succeed().dropLast())
    }
}
