// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The varlink package of PyPI in a directory of its own.
struct PythonClient {
    struct Unreachable: Error {}

    let directory: String

    /// - Returns: nil, having said why, where PyPI is out of reach and nobody insists (CI is not set).
    static func installed() throws -> PythonClient? {
        let directory = NSTemporaryDirectory() + "/vl-python-\(UUID())"
        let (status, output) = try python(
            ["-m", "pip", "install", "--quiet", "--target", directory, "varlink==31.0.0"],
            path: ""
        )
        if status == 0 { return PythonClient(directory: directory) }
        guard ProcessInfo.processInfo.environment["CI"] != "true" else { throw Unreachable() }
        print("skipped: pip cannot install varlink 31.0.0: \(output)")
        return nil
    }

    func remove() throws {
        try FileManager.default.removeItem(atPath: directory)
    }

    /// What `python3 -m varlink.cli` prints to both of its outputs.
    func run(_ arguments: String...) throws -> String {
        try Self.python(["-m", "varlink.cli"] + arguments, path: directory).output
    }

    /// Runs a module of the package.
    func runModule(_ arguments: String...) throws -> (status: Int32, output: String) {
        try Self.python(["-m"] + arguments, path: directory)
    }

    private static func python(_ arguments: [String], path: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONPATH": path]) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
