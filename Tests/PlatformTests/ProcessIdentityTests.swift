// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import Platform

@Suite("The identity of a process")
struct ProcessIdentityTests {
    @Test("a running process of this user is recognised, with another start time or of another user it is not")
    func running() throws {
        let own = try #require(ProcessIdentity(running: getpid()))
        #expect(own.isRunning(as: geteuid()))
        #expect(!own.isRunning(as: geteuid() + 1))
        #expect(!ProcessIdentity(pid: own.pid, startTime: own.startTime + 1).isRunning(as: geteuid()))
        #expect(ProcessIdentity(running: Int32.max) == nil)
        #expect(!ProcessIdentity(pid: Int32.max, startTime: own.startTime).isRunning(as: geteuid()))
    }

    @Test("a name with parentheses and spaces does not move the fields")
    func names() {
        let rest = (3...52).map { "\($0)" }.joined(separator: " ")
        #expect(ProcessIdentity.startTime(inStat: "7 (a) R 1 (b) \(rest)\n") == 22)
        #expect(ProcessIdentity.startTime(inStat: "7 (a) R 1") == nil)
        #expect(ProcessIdentity.startTime(inStat: "") == nil)
        #expect(ProcessIdentity.effectiveUser(inStatus: "Name:\tUid:\\n\nUid:\t1\t2\t3\t4\n") == 2)
        #expect(ProcessIdentity.effectiveUser(inStatus: "Name:\tx\n") == nil)
    }
}
