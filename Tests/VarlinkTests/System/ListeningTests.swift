// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import VarlinkService

@Suite("Listening socket")
struct ListeningTests {
    @Test("the file is private; one in use stays, a stale one is replaced, and another type of file is kept")
    func path() async throws {
        let path = "/tmp/vl-listen-\(getpid())"
        defer { unlink(path) }
        let first = try ListeningSocket.open(path: path)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(throws: VarlinkServerError.alreadyServed(path: path)) { try ListeningSocket.open(path: path) }
        close(first)
        close(try ListeningSocket.open(path: path))
        unlink(path)
        close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        #expect(throws: VarlinkServerError.notASocket(path: path)) { try ListeningSocket.open(path: path) }
    }

    @Test("a path that no address can contain is refused", arguments: ["", "a\0b", String(repeating: "x", count: 108)])
    func unusable(path: String) {
        #expect(throws: VarlinkServerError.unusablePath(path)) { try ListeningSocket.open(path: path) }
    }
}
