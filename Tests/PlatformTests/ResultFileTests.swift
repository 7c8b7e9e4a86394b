// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@Suite("Files of results")
struct ResultFileTests {
    @Test("a result replaces a file when it is complete, and nothing remains of one that is not")
    func replacement() throws {
        let directory = TemporaryDirectory()
        let path = directory.path(of: "result")
        directory.write(Array("mine".utf8), to: "result.part")
        for (text, isComplete, expected) in [("one", true, "one"), ("two", true, "two"), ("three", false, "two")] {
            do {
                var file = try ResultFile(replacing: path)
                try file.write(text)
                let others = directory.names().filter { !$0.hasPrefix("result") }
                // A file system without unnamed files has one more.
                #expect(others.count <= 1 && others.allSatisfy { $0.hasPrefix("relativityd-") })
                if isComplete { try file.complete() }
            }
            #expect(directory.names() == ["result", "result.part"])
            #expect(directory.content(of: "result") == Array(expected.utf8))
        }
        #expect(directory.content(of: "result.part") == Array("mine".utf8))
    }

    @Test("a result has the permissions of the file that it replaces", arguments: [0o600, 0o640, 0o664] as [UInt32])
    func permissions(mode: UInt32) throws {
        let directory = TemporaryDirectory()
        directory.write([1], to: "result", mode: mode)
        var file = try ResultFile(replacing: directory.path(of: "result"))
        try file.write("new")
        try file.complete()
        #expect(directory.content(of: "result") == Array("new".utf8))
        #expect(SpecialFile.mode(of: directory.path(of: "result")) & 0o777 == mode)
    }
}
