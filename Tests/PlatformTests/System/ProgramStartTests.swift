// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@Suite("Starting programs")
struct ProgramStartTests {
    private static func run(_ script: String, _ change: (inout ProgramStart) -> Void = { _ in }) throws -> String {
        let home = TemporaryDirectory()
        let path = home.path(of: "output")
        var program = ProgramStart("sh", arguments: ["sh", "-c", script])
        program.searchesPath = true
        program.input = .null
        program.output = .file(path, flags: O_WRONLY | O_CREAT)
        change(&program)
        let pid = try program.start()
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return TextFile.text(of: path)
    }

    @Test("a program gets descriptors that are not close-on-exec only if it may inherit")
    func descriptors() throws {
        let file = open("/etc/hostname", O_RDONLY)
        let hidden = open("/etc/hostname", O_RDONLY | O_CLOEXEC)
        defer { for descriptor in [file, hidden] { close(descriptor) } }
        try #require(file > 2 && hidden > 2)
        let script = "for n in 0 1 2 \(file) \(hidden); do test -e /proc/self/fd/$n && printf ' %s' $n; done"
        #expect(try Self.run(script) == " 0 1 2")
        #expect(try Self.run(script) { $0.others = .inherited } == " 0 1 2 \(file)")
    }

    @Test("the standard descriptors, the environment and the group are those that were chosen")
    func choices() throws {
        let home = TemporaryDirectory()
        home.write(Array("word".utf8), to: "input")
        let text = try Self.run("cat; echo $NAME-$HOME >&2; test $$ = $(ps -o pgid= $$) && echo group") { program in
            program.input = .file(home.path(of: "input"), flags: O_RDONLY)
            program.errors = .descriptor(STDOUT_FILENO)
            program.environment = ["NAME=value", "PATH=/usr/bin:/bin"]
            program.hasOwnGroup = true
        }
        #expect(text == "wordvalue-\ngroup\n")
    }

    @Test("a program that does not exist is an error with its number")
    func missing() {
        let failure = #expect(throws: ProgramStart.Failure.self) { try ProgramStart("/nowhere/program").start() }
        #expect(failure?.errno == ENOENT)
    }
}
