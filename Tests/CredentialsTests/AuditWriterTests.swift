// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import JSON
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Audit log: writing")
struct AuditWriterTests {
    private let fixture: AuditFixture

    init() throws {
        fixture = try AuditFixture()
    }

    @Test("the chain continues with a new process, and with two processes at a time")
    func severalProcesses() throws {
        let first = fixture.writer()
        try first.add(.note(.daemonStarted), .open(fixture.key, known: .start), .note(.vaultMade))
        let second = fixture.writer()
        for _ in 0..<20 {
            try second.add(.note(.daemonStarted))
            try first.add(.note(.adapterOpened))
        }
        let head = try first.add(.note(.vaultLocked), .close)
        let report = try fixture.report(head)
        #expect(report.fault == nil)
        #expect(report.lines == 44)
    }

    @Test("an incomplete last line of a crash is cut off, and a line records that", arguments: [1, 40, 200])
    func torn(count: Int) throws {
        let head = try fixture.writeSmallLog(fixture.writer())
        let bytes = try fixture.bytes
        fixture.temporary.write(bytes + bytes.prefix(count), to: "state/audit.jsonl")
        let next = try fixture.writer().add(.note(.daemonStarted))
        let report = try fixture.report(head, next)
        #expect(report.fault == nil && report.lines == 16)
        let lines = try #require(try fixture.folder.read("audit.jsonl")).lines
        #expect(AuditLine(lines[14])?.event == "log.torn")
        #expect(AuditLine(lines[14])?.object?["bytes"]?.integerValue == Int64(count))
    }

    @Test("full files are set aside, five are kept, and the chain continues across them")
    func rotation() throws {
        let writer = fixture.writer(fileBytes: 8 << 10)
        try writer.add(.open(fixture.key, known: .start), .note(.vaultMade))
        var head = VaultKeys.AuditHead.start
        for round in 0..<400 {
            head = try writer.add(.note(.passwordUsed), durably: round.isMultiple(of: 50))
        }
        let names = fixture.temporary.names(in: "state").filter { $0.hasSuffix(".jsonl") }
        #expect(names.count == 5)
        for content in try fixture.folder.readAll() { #expect(content.bytes.count <= 8 << 10) }
        let report = try fixture.report(head)
        #expect(report.fault == nil)
        let first = try #require(report.first)
        #expect(first > 1 && report.last == Int64(head.sequence))

        // A new process continues at the end of the log, and the removal of the oldest file is detected.
        head = try fixture.writer(fileBytes: 8 << 10).add(.note(.daemonStarted))
        #expect(try fixture.report(head).fault == nil)
        unlink(fixture.temporary.path(of: "state/" + names[0]))
        guard let fault = try fixture.report(head).fault, fault.code == .missing else {
            Issue.record("the oldest file is not missed")
            return
        }
        #expect(fault.first == first)
    }

    @Test("lines in a new file, after a rotation that this process does not know, are continued")
    func unknownRotation() throws {
        let writer = fixture.writer()
        let known = try writer.add(.open(fixture.key, known: .start), .note(.vaultMade))
        let other = try fixture.writer(fileBytes: 1).add(.open(fixture.key, known: known), .note(.vaultUnlocked))
        let next = try writer.add(.note(.adapterOpened))
        #expect(fixture.temporary.names(in: "state").count { $0.hasSuffix(".jsonl") } == 2)
        #expect(try fixture.report(known, other, next).fault == nil)
    }

    @Test("a crash between setting a file aside and making the next one loses nothing")
    func crashInRotation() throws {
        let head = try fixture.writeSmallLog(fixture.writer())
        _ = try fixture.folder.setAside(first: 1)
        let next = try fixture.writer().add(.note(.daemonStarted))
        let report = try fixture.report(head, next)
        #expect(report.fault == nil)
        #expect(report.lines == 16)
    }

    @Test("after a failure the next line follows the last written one, and no line is incomplete")
    func failure() throws {
        let writer = fixture.writer()
        try writer.add(.note(.daemonStarted))
        let before = try fixture.bytes
        chmod(fixture.temporary.path(of: "state"), 0o755)
        var lost = 0
        #expect(throws: PlatformError.self) {
            try writer.write(durably: true) {
                [.open(fixture.key, known: .start), .note(.vaultUnlocked)]
            } failed: {
                lost += $0.count
            }
        }
        #expect(lost == 2)
        chmod(fixture.temporary.path(of: "state"), 0o700)
        #expect(try fixture.bytes == before)
        // The key is in use although its binding line was lost. That line is written again.
        let head = try writer.add(.note(.adapterOpened))
        let report = try fixture.report(head)
        #expect(report.fault == nil && report.lines == 3 && report.keyed == 2)
    }

    @Test("a log that is a link, has another mode or two names is refused", arguments: [0, 1, 2, 3])
    func hostileFiles(kind: Int) throws {
        try fixture.writer().add(.note(.daemonStarted))
        let path = fixture.path
        switch kind {
        case 0:
            rename(path, path + ".moved")
            symlink(path + ".moved", path)
        case 1: chmod(path, 0o644)
        case 2: link(path, path + ".other")
        default:
            rename(path, path + ".moved")
            mkfifo(path, 0o600)
        }
        #expect(throws: PlatformError.self) { try fixture.writer().add(.note(.daemonStarted)) }
    }

    @Test("a line is one object with the members of docs/audit.md, without the name of a login")
    func members() throws {
        _ = try fixture.writeSmallLog(fixture.writer())
        let objects = try #require(try fixture.folder.read("audit.jsonl")).lines.compactMap { AuditLine($0)?.object }
        #expect(objects.count == 14)
        let added = try #require(objects.first { $0["event"]?.stringValue == "login.added" })
        #expect(
            added.map(\.key) == [
                "seq", "event", "result", "time", "boot", "endpoint", "login", "tier", "prev", "proof", "tag",
            ]
        )
        #expect(objects[7]["times"] == 7)
        #expect(objects[3]["event"] == "log.bound" && objects[3]["open"] == 3 && objects[3]["unproved"] == 0)
    }
}
