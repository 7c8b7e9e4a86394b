// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import Synchronization

@testable import Credentials

/// Reads the vault again and again, as a daemon does that only looks.
final class Reader: Sendable {
    struct WentBack: Error {}

    private static let pauseMicroseconds: UInt32 = 2_000

    private let fixture: ProbeFixture
    private let isStopped = Mutex(false)

    init(fixture: ProbeFixture) {
        self.fixture = fixture
    }

    func stop() { isStopped.withLock { $0 = true } }

    /// Blocks until `stop`.
    ///
    /// - Returns: how often it has read.
    /// - Throws: if one reading was not a whole vault, or an older one than before.
    func run() throws -> Int {
        let schedule = KeySchedule(arena: try SecretArena())
        let secret = SharedSecret(try CredentialsDirectory(path: fixture.credentials).key(in: schedule.arena))
        let directory = try ProtectedDirectory(fixture.data)
        let folder = VaultFolder(directory: directory, random: SystemRandom(), patience: .zero)
        var count = 0
        var newest: UInt64 = 0
        while !isStopped.withLock({ $0 }) {
            guard let file = try folder.read() else { throw WentBack() }
            let vault = try OpenVault.open(file, kind: .credentialsDirectory, secret: secret, schedule: schedule)
            guard vault.header.generation >= newest else { throw WentBack() }
            newest = vault.header.generation
            count += 1
            // The writers need the processor more.
            usleep(Self.pauseMicroseconds)
        }
        return count
    }
}
