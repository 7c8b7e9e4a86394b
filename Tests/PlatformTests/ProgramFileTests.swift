// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct ProgramFileTests {
    @Test("a program that another content replaces is replaced; one that is installed again or removed is not")
    func replaced() throws {
        let directory = TemporaryDirectory()
        let path = directory.path(of: "program")
        directory.write([1], to: "program")
        let running = directory.path(of: "running")
        try #require(link(path, running) == 0)
        let program = try #require(ProgramFile(at: path, running: running))
        #expect(!program.isReplaced && program.path == path)
        for (bytes, isReplaced) in [([UInt8(1)], false), ([2], true), ([1, 1], true), ([1], false)] {
            directory.write(bytes, to: "new")
            try #require(rename(directory.path(of: "new"), path) == 0)
            #expect(program.isReplaced == isReplaced, "\(bytes)")
        }
        let second = try #require(ProgramFile(at: path))
        #expect(!second.isReplaced)
        unlink(path)
        #expect(!second.isReplaced)
        #expect(ProgramFile(at: path) == nil)
    }

    @Test("the program of this process is found")
    func own() throws {
        let program = try #require(ProgramFile())
        #expect(access(program.path, X_OK) == 0 && !program.isReplaced)
    }
}
