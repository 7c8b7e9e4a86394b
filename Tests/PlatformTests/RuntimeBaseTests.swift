// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite("Runtime directory")
struct RuntimeBaseTests {
    @Test("check accepts a directory of this user or root that no other user can write to")
    func rule() {
        #expect(RuntimeBase.fault(owner: 1000, mode: 0o700, ours: 1000) == nil)
        #expect(RuntimeBase.fault(owner: 0, mode: 0o755, ours: 1000) == nil)
        #expect(RuntimeBase.fault(owner: 1001, mode: 0o700, ours: 1000) == "belongs to user 1001")
        for mode: mode_t in [0o720, 0o702, 0o1777] {
            #expect(RuntimeBase.fault(owner: 1000, mode: mode, ours: 1000) == "can be written by other users")
        }
    }

    @Test("check rejects a directory that others can write to, with a command that fixes it")
    func check() throws {
        let temporary = TemporaryDirectory()
        let path = temporary.path(of: "run")
        mkdir(path, 0o700)
        try RuntimeBase.check(path)
        chmod(path, 0o777)
        let error = #expect(throws: PlatformError.self) { try RuntimeBase.check(path) }
        #expect(error?.description.contains("chmod 700 '\(path)'") == true, "\(String(describing: error))")
        #expect(throws: PlatformError.system(call: "stat", subject: path + "/none", errno: ENOENT)) {
            try RuntimeBase.check(path + "/none")
        }
    }
}
