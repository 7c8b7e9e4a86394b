// SPDX-License-Identifier: Apache-2.0

/// The default login of a user: lines of a file in the state directory, which relctl writes and the daemon reads.
package struct DefaultLogin: Sendable, Hashable {
    private static let file = "default-login"
    /// More than the length of any login's name and any endpoint's ID.
    private static let maximumBytes = 8_192

    /// The name of the login.
    package let name: String
    /// The ID of the endpoint that the login was for when it became the default; nil if that was not known.
    package let endpoint: String?

    /// A default that is not stored.
    package init(name: String, endpoint: String? = nil) {
        self.name = name
        self.endpoint = endpoint
    }

    /// Reads the default.
    ///
    /// - Parameter state: the state directory, which is created if it does not exist.
    /// - Returns: nil if there is no default.
    package static func read(in state: String) throws(PlatformError) -> DefaultLogin? {
        let directory = try ProtectedDirectory(state, creating: true)
        guard let bytes = try AtomicFile.read(file, in: directory, maximumBytes: maximumBytes) else { return nil }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        // Version 0.2.0 writes one line.
        guard let name = lines.first, !name.isEmpty else { return nil }
        return DefaultLogin(name: name, endpoint: lines.dropFirst().first.flatMap { $0.isEmpty ? nil : $0 })
    }

    /// Stores a default; nil to have none.
    package static func write(_ login: DefaultLogin?, in state: String) throws(PlatformError) {
        let lines = login.map { [$0.name] + [$0.endpoint].compactMap(\.self) } ?? []
        let bytes = lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
        try AtomicFile.write(bytes, to: file, in: ProtectedDirectory(state, creating: true))
    }
}
