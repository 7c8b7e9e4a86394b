// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Grants from outside", .timeLimit(.minutes(2)))
struct GrantTests {
    /// Posts two calls to the given socket, and tries the daemon's own, like a program in a sandbox.
    private static let program = """
        import http.client, os, socket, struct, sys

        class Connection(http.client.HTTPConnection):
            def connect(self):
                self.sock = socket.socket(socket.AF_UNIX)
                self.sock.connect(sys.argv[1])

        def call(method):
            counted = lambda text: struct.pack("<i", len(text)) + text.encode()
            body = b"RO107" + bytes(7) + os.urandom(16) + counted("DataService") + counted(method) + counted("")
            connection = Connection("localhost", timeout=20)
            connection.request("POST", "/bin", body)
            answer = connection.getresponse()
            return answer.status, b"<Name>Deps</Name>" in answer.read()

        print(*call("GetSchema"), *call("UpdateData"), os.path.exists(sys.argv[2]))
        """

    @Test(
        "a sandbox with a grant's directory and without the daemon's socket can make only the calls of the grant",
        .enabled(if: Requirement.allMet([.root, .program("unshare"), .program("python3")]), "mount namespaces")
    )
    func sandbox() async throws {
        let deployment = try await Deployment.withLogin()
        let grant = try #require(
            try await deployment.json("grant", "add", "--login", Deployment.login, "--read-only", "--ttl", "5m")
                .objectValue
        )
        let script = """
            mount --make-rprivate / && mount --bind "$1" "$2" && mount -t tmpfs none "$3" \
            && exec python3 -c "$4" "$2/adapter.sock" "$5"
            """
        let mount = deployment.home.path(of: "mnt")
        mkdir(mount, 0o700)
        let directory = try grant.string("directory")
        let output = try await Command(
            ["unshare", "--mount", "sh", "-c", script, "sh", directory, mount]
                + [deployment.home.path(of: "run"), Self.program, deployment.socket]
        ).succeed()
        #expect(output == "200 True 403 False False\n")

        #expect(try await deployment.success("grant", "list").contains(Deployment.login))
        try await deployment.success("grant", "revoke", try grant.string("id"))
        #expect(access(directory, F_OK) != 0)
        #expect(try await deployment.relctl("grant", "revoke", try grant.string("id")).status == 11)
    }

    @Test("a server that can only be used through grants answers a grant's calls")
    func grantsOnly() async throws {
        let deployment = try await Deployment.withLogin()
        try await deployment.success("endpoint", "set", "sample", "--clients", "grants-only")
        let grant = try #require(
            try await deployment.json("grant", "add", "--login", Deployment.login, "--read-only").objectValue
        )
        let list = ["table", "list", "sample"]
        #expect(try await deployment.success(list + ["--grant", try grant.string("directory")]).contains("Deps"))
        #expect(try await deployment.relctl(list).status == 1)
    }

    @Test("the purpose of a grant is required, and a restart of the daemon leaves no grants")
    func restart() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let add = ["grant", "add", "--login", Deployment.login]
        #expect(try await deployment.relctl(add).status == 64)
        #expect(try await deployment.relctl(add + ["--method", "Get Data"]).status == 64)
        #expect(try await deployment.relctl(add + ["--read-only", "--ttl", "25h"]).status == 64)
        #expect(try await deployment.relctl(["grant", "add", "--login", "nobody", "--read-only"]).status == 11)
        let shown = try await deployment.relctl(
            add + ["--service", "DataService", "--service", "Own", "--method", "GetSchema", "--method", "Count"]
        )
        #expect(shown.standardOutput.contains("DataService, Own") && shown.standardOutput.contains("GetSchema, Count"))
        // As after a crash: the remains are removed at the next start.
        started.daemon.send("KILL")
        try await started.daemon.end()
        #expect(!deployment.home.names(in: "run/relativityd/grants").isEmpty)
        try await deployment.startDaemon()
        #expect(try await deployment.json("grant", "list") == [])
        #expect(deployment.home.names(in: "run/relativityd/grants").isEmpty)
    }
}
