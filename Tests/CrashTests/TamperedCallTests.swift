// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// Faults that strace cannot inject: calls that do part or all of their work, and return another result.
@Suite("Saves whose system calls do less than requested", .timeLimit(.minutes(2)))
struct TamperedCallTests {
    private static let mostCalls = 100

    @Test("short writes are continued, and failures to close are ignored", arguments: ["write", "close"])
    func tampered(kind: String) async throws {
        let fixture = ProbeFixture()
        let files = try await fixture.created(logins: ["one"])
        let library = fixture.temporary.path(of: "tamper.so")
        let tools = Sources.root + "/Tests/Tools"
        try await Command(["cc", "-shared", "-fPIC", "-O1", "-o", library, tools + "/tamper.c", "-ldl"]).succeed()
        let mark = fixture.temporary.path(of: "mark")
        var calls = 0
        while calls < Self.mostCalls {
            fixture.restore(files)
            unlink(mark)
            let environment = ["LD_PRELOAD": library, "TAMPER": "\(kind):\(calls + 1)", "TAMPER_MARK": mark]
            let probe = try ProbeSession(fixture.command, environment: environment)
            #expect(await probe.send("open") == .ok("2"))
            #expect(await probe.send("add two") == .ok("3"))
            #expect(await probe.send("remove one") == .ok("4"))
            #expect(probe.end() == 0)
            #expect(try await fixture.open() == .init(generation: 4, logins: ["two"]))
            #expect(fixture.temporaryNames.isEmpty)
            guard access(mark, F_OK) == 0 else { break }
            calls += 1
        }
        #expect(calls > 3 && calls < Self.mostCalls)
        print("\(kind): each of \(calls) calls of two saves and the opening before them")
    }
}
