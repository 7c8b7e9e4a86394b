// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(
    "A daemon in its own user namespace",
    .enabled(
        if: Requirement.allMet([.root, .program("unshare"), .program("setpriv"), .program("/usr/bin/python3")]),
        "needs root, util-linux and Debian's python3"
    ),
    .timeLimit(.minutes(2))
)
struct UserNamespaceTests {
    private static let namespace = ["unshare", "--user", "--map-root-user", "--"]

    /// Listens on loopback, and prints the number of connections and bytes at the end of its input.
    private static let stranger = """
        import asyncio, sys
        counts = [0, 0]
        async def serve(reader, writer):
            counts[0] += 1
            try:
                while data := await reader.read(65536): counts[1] += len(data)
            except ConnectionError: pass
            writer.close()
        async def main():
            server = await asyncio.start_server(serve, "127.0.0.1", 0)
            print(server.sockets[0].getsockname()[1], flush=True)
            while await asyncio.to_thread(sys.stdin.readline): print(*counts, flush=True)
            sys.exit()
        asyncio.run(main())
        """

    @Test("another user's server, whose owner is unknown there, gets no byte of a login; the user's own server gets it")
    func stranger() async throws {
        guard try await Command(Self.namespace + ["true"]).run().status == 0 else {
            print("no user namespace can be made here")
            return
        }
        let deployment = Deployment()
        try await deployment.startDaemon(wrapper: Self.namespace)
        let other = try ChildProcess(
            [
                "setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", "--", "/usr/bin/python3", "-c",
                Self.stranger,
            ]
        )
        var lines = other.outputLines(silence: .seconds(30)).makeAsyncIterator()
        let port = try #require(await lines.next())
        let server = try await deployment.startServer()
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        try await deployment.success("add", "strange", "127.0.0.1:\(port)")
        try await deployment.initialiseVault()
        for name in ["sample", "strange"] {
            let added = try await deployment.addLogin(to: name, options: ["--no-test", "--name", name])
            #expect(added.status == 0, "\(added)")
        }
        try await deployment.success("login", "test", "sample")

        let refused = try await deployment.relctl("login", "test", "strange")
        #expect(refused.status != 0)
        let reason = "the user of the process that answers on port \(port) here is unknown, so nothing was sent"
        #expect((refused.standardOutput + refused.standardError).contains(reason), "\(refused)")
        other.write("\n")
        let counts = try #require(await lines.next()).split(separator: " ").compactMap { Int($0) }
        #expect(counts[0] > 0 && counts[1] == 0)

        // The number of connections may differ.
        try await deployment.success("endpoint", "set", "strange", "--accept-unknown-owner", "on")
        let asked = try deployment.background("login", "test", "strange")
        var line: String?
        repeat {
            other.write("\n")
            line = await lines.next()
        } while line?.hasSuffix(" 0") == true
        #expect(line != nil)
        asked.signal(15)
        _ = asked.wait()
        other.closeInput()
        _ = other.wait()
    }
}
