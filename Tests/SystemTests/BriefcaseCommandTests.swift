// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Briefcases from the command line", .timeLimit(.minutes(3)))
struct BriefcaseCommandTests {
    private let deployment = Deployment()

    private func rows(_ path: String, _ options: String...) async throws -> [String] {
        let words = ["briefcase", "load", path, "Deps", "--format", "csv", "-q"] + options
        let output = try await deployment.relctl(words)
        try #require(output.status == 0, "\(output)")
        let text = output.standardOutput
        return text.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
    }

    @Test("a briefcase is for its owner alone, and serves without the server", arguments: [false, true])
    func away(isFolder: Bool) async throws {
        let started = try await deployment.startWithLogin()
        let path = deployment.home.path(of: "b")
        let save = ["briefcase", "save", "sample", "Deps", "Users", "--to", path] + (isFolder ? ["--folder"] : [])
        #expect(try await deployment.relctl(save).status == 0)
        let shown = try await deployment.json("briefcase", "show", path).objectValue?.object("briefcase")
        #expect(try shown?.string("form") == (isFolder ? "folder" : "file"))
        #expect(try (0...60).contains(shown?.integer("ageSeconds") ?? -1))
        var facts = stat()
        #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == (isFolder ? 0o700 : 0o600))
        try await started.server.end()
        #expect(try await rows(path, "--where", "DepId < 2") == ["1,Sales,+1 555 0100"])
        let refresh = try await deployment.relctl("briefcase", "refresh", "sample", path)
        #expect(refresh.status != 0 && refresh.standardOutput.isEmpty, "\(refresh)")
        #expect(try await rows(path).count == 4)
    }

    @Test("a briefcase in which another process makes a change is not deleted without --force")
    func changedMeanwhile() async throws {
        try await deployment.startWithLogin()
        let (path, changed) = (deployment.home.path(of: "b"), deployment.home.path(of: "changed"))
        for place in [path, changed] {
            try await deployment.success("briefcase", "save", "sample", "Deps", "--to", place)
        }
        try await deployment.success("table", "delete", "sample", "Deps", "1", "--pending", changed)
        // Has the lock until it is asked for.
        let holder = """
            import ctypes, fcntl, os, sys
            path, changed = sys.argv[1:]
            lock = open(path + ".lock", "w")
            lock.write("relativityd lock\\n")
            lock.flush()
            fcntl.flock(lock, fcntl.LOCK_EX)
            libc = ctypes.CDLL(None)
            queue = libc.inotify_init()
            libc.inotify_add_watch(queue, lock.name.encode(), 0x20)
            print("ready", flush=True)
            os.read(queue, 4096)
            os.replace(changed, path)
            os.unlink(lock.name)
            """
        let other = try ChildProcess(["python3", "-c", holder, path, changed], environment: deployment.environment)
        deployment.own(other)
        #expect(try await OutputLines(of: other).next() == "ready")
        let deleted = try await deployment.relctl("briefcase", "delete", path)
        #expect(deleted.status == 1 && deleted.standardError.contains("1 pending change would be lost"), "\(deleted)")
        #expect(try await rows(path).count == 3)
        try await deployment.success("briefcase", "delete", path, "--force")
        #expect(!deployment.home.names(in: ".").contains("b"))
    }
}
