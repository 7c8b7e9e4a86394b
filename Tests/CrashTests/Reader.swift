// SPDX-License-Identifier: Apache-2.0

import Glibc
import Locks
import Platform

@testable import Credentials

/// Reads the vault repeatedly, like a daemon that does not write.
final class Reader: Sendable {
    struct WentBack: Error {}

    private static let pauseMicroseconds: UInt32 = 2_000

    private let fixture: ProbeFixture
    private let isStopped = Lock(false)

    init(fixture: ProbeFixture) {
        self.fixture = fixture
    }

    func stop() { isStopped.withLock { $0 = true } }

    /// Blocks until `stop`.
    ///
    /// - Returns: the number of readings.
    /// - Throws: if a reading was not an intact vault, or older than the one before.
    func run() throws -> Int {
        let arena = try SecretArena()
        let secret = SharedSecret(try CredentialsDirectory(path: fixture.credentials).key(in: arena))
        let directory = try ProtectedDirectory(fixture.data)
        let folder = VaultFolder(directory: directory, random: SystemRandom(), lockTimeout: .zero)
        var count = 0
        var newest: UInt64 = 0
        while !isStopped.withLock({ $0 }) {
            guard let file = try folder.read() else { throw WentBack() }
            let vault = try OpenVault.open(file, kind: .credentialsDirectory, secret: secret, in: arena)
            guard vault.header.generation >= newest else { throw WentBack() }
            newest = vault.header.generation
            count += 1
            // Leave time for the writers.
            usleep(Self.pauseMicroseconds)
        }
        return count
    }
}
