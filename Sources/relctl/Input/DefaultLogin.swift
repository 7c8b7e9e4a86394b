// SPDX-License-Identifier: Apache-2.0

import Platform

/// The name of the login that verbs use where none is named: one line of a file in the state directory.
struct DefaultLogin {
    private static let file = "default-login"
    /// Longer than the name of any login.
    private static let maximumBytes = 4_096

    private let directory: String

    init(_ environment: Environment) throws(PlatformError) {
        directory = try Directories(environment).state
    }

    /// - Returns: nil where none was set.
    func read() throws(PlatformError) -> String? {
        guard let bytes = try AtomicFile.read(Self.file, in: opened(), maximumBytes: Self.maximumBytes) else {
            return nil
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// - Parameter name: nil leaves none.
    func write(_ name: String?) throws(PlatformError) {
        try AtomicFile.write(name.map { Array($0.utf8) + [UInt8(ascii: "\n")] } ?? [], to: Self.file, in: opened())
    }

    private func opened() throws(PlatformError) -> ProtectedDirectory {
        try ProtectedDirectory(directory, creating: true)
    }
}
