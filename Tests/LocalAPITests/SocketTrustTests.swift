// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LocalAPI

@Suite("Daemons that may receive a secret")
struct SocketTrustTests {
    @Test(
        "the daemon must run as the same user or root, in a directory that no other user can write to",
        arguments: [
            (1000, 1000, 0o700, nil), (0, 1000, 0o700, nil), (1000, 0, 0o755, nil), (0, 0, 0o755, nil),
            (1001, 1000, 0o700, "user 1001 listens there"), (65_534, 1000, 0o700, "user 65534 listens there"),
            (1000, 1001, 0o700, "its directory belongs to user 1001"),
            (1000, 1000, 0o770, "other users can write to its directory"),
            (0, 0, 0o1777, "other users can write to its directory"),
        ] as [(uid_t, uid_t, mode_t, String?)]
    )
    func fault(_ peer: uid_t, owner: uid_t, mode: mode_t, expected: String?) {
        let directory = SocketTrust.Directory(owner: owner, mode: S_IFDIR | mode)
        #expect(SocketTrust.fault(peer: peer, directory: directory, own: 1000) == expected)
        #expect(SocketTrust.fault(peer: nil, directory: directory, own: 1000) != nil)
        #expect(SocketTrust.fault(peer: peer, directory: nil, own: 1000) != nil)
    }

    @Test("the directory is that of the socket")
    func directory() throws {
        let temporary = TemporaryDirectory()
        mkdir(temporary.path(of: "run"), 0o700)
        let found = try #require(SocketTrust.Directory(of: temporary.path(of: "run/sock")))
        #expect(found.owner == geteuid() && found.mode & 0o777 == 0o700)
        #expect(SocketTrust.Directory(of: temporary.path(of: "none/sock")) == nil)
        #expect(SocketTrust.Directory(of: "/sock")?.owner == 0)
        #expect(SocketTrust.Directory(of: "sock") != nil)
    }
}
