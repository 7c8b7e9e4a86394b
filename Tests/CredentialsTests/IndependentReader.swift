// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

@testable import Credentials

/// Tests/Tools/read_vault.py in a separate process.
struct IndependentReader {
    struct Unavailable: Error, CustomStringConvertible {
        let description = "python3 with the package cryptography is needed: apt-get install python3-cryptography"
    }

    private let python: String
    private let script: String

    /// - Returns: nil if the reader cannot run. The reason is printed, and in CI it is a failure.
    static func ifAvailable() async throws -> IndependentReader? {
        do {
            return try await IndependentReader()
        } catch let error as Unavailable {
            if getenv("CI").map({ String(cString: $0) }) == "true" { throw error }
            print("skipped: \(error)")
            return nil
        }
    }

    private init() async throws {
        let candidates = ["python3", "/usr/bin/python3"]
        var usable: String?
        for python in candidates where usable == nil {
            if try await Command([python, "-c", "import cryptography"]).run().status == 0 { usable = python }
        }
        guard let usable else { throw Unavailable() }
        python = usable
        script = try GoldenVault.path(of: "../../Tools/read_vault.py")
    }

    func read(_ path: String, _ kind: String, _ secret: String, _ more: String...) async throws -> Command.Output {
        try await Command([python, script, path, kind, secret] + more).run()
    }

    /// Reads many vaults in one process: for each, the name of its fault, or `ok` and the digest of its content.
    ///
    /// - Parameter manifest: the path of a file of lines, each a vault's path, a slot type and a secret in hexadecimal.
    func outcomes(manifest: String) async throws -> [String] {
        try await Command([python, script, "--batch", manifest]).succeed(deadline: .seconds(300))
            .split(separator: "\n").map(String.init)
    }
}
