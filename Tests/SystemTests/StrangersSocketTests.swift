// SPDX-License-Identifier: Apache-2.0

import Glibc
import LocalAPI
import TestSupport
import Testing
import Varlink

@Suite(
    "Sockets of other users",
    .enabled(if: Requirement.allMet([.root, .program("/usr/bin/python3")]), "needs root and Debian's python3"),
    .timeLimit(.minutes(1))
)
struct StrangersSocketTests {
    /// A Python that every user may run.
    private static let python = "/usr/bin/python3"

    /// Listens as another user on the given socket, reports it, and prints its input.
    private static let listener = """
        import socket, sys
        server = socket.socket(socket.AF_UNIX)
        server.bind(sys.argv[1])
        server.listen()
        print("ready", flush=True)
        while True:
            client, _ = server.accept()
            while data := client.recv(65536):
                print("got", data.hex(), flush=True)
        """

    @Test("a server of another user on loopback gets no password, and its owner is named without a way to a new pin")
    func server() async throws {
        let deployment = Deployment()
        try await deployment.startDaemon()
        try await deployment.initialiseVault()
        let script = """
            import socket
            server = socket.create_server(("127.0.0.1", 0))
            print(server.getsockname()[1], flush=True)
            connections = []
            while True: connections.append(server.accept())
            """
        let stranger = try ChildProcess(
            ["setpriv", "--reuid", "4321", "--clear-groups", Self.python, "-u", "-c", script]
        )
        var lines = stranger.outputLines(silence: .seconds(20)).makeAsyncIterator()
        let port = try #require(await lines.next())
        try await deployment.success("add", "sample", "127.0.0.1:\(port)")
        let refused = try await deployment.addLogin()
        #expect(refused.status == 5 && refused.standardError.contains("user 4321"), "\(refused)")
        #expect(!refused.standardError.contains("login is bound"), "\(refused)")
        #expect(refused.standardError.hasSuffix("relctl: hint: relctl doctor\n"), "\(refused)")
        let diagnosis = try await deployment.relctl("doctor", "sample")
        #expect(diagnosis.standardOutput.contains("user 4321"), "\(diagnosis)")
        stranger.signal(SIGTERM)
        _ = stranger.wait()
    }

    @Test("no byte of a passphrase is sent to another user's process, and the client names the owner")
    func passphrase() async throws {
        let deployment = Deployment()
        let folder = deployment.home.path(of: "run/relativityd")
        mkdir(folder, 0o700)
        for path in [deployment.home.path, deployment.home.path(of: "run")] { chmod(path, 0o711) }
        chown(folder, 4321, 4321)
        let stranger = try ChildProcess(
            ["setpriv", "--reuid", "4321", "--clear-groups", Self.python, "-c", Self.listener, deployment.socket]
        )
        var lines = stranger.outputLines(silence: .seconds(20)).makeAsyncIterator()
        try #require(await lines.next() == "ready")
        // Otherwise the directory alone would be a reason to refuse.
        chown(folder, geteuid(), getegid())
        let path = deployment.socket
        let expected = VarlinkClientError.untrusted(path: path, reason: "user 4321 listens there")
        #expect(throws: expected) {
            try Array("correct horse".utf8).withUnsafeBytes { secret in
                try DaemonClient(socket: path).call(CredentialsAPI.UnlockCall(), secrets: [secret])
            }
        }
        let output = try await deployment.relctl("vault", "unlock", "--passphrase-stdin", input: "correct horse\n")
        #expect(output.status != 0, "\(output)")
        stranger.signal(SIGTERM)
        while let line = await lines.next() {
            let sent = Array("correct horse".utf8).map { String(hexByte: $0) }.joined()
            #expect(!line.contains(sent), "\(line)")
        }
        _ = stranger.wait()
    }
}
