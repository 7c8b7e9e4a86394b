// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import Glibc
import NIOCore
import NIOPosix
import Platform
import Registry
import Remoting
import TestSupport
import Testing

@testable import Broker

@Suite("Owners of connections", .endsStarted)
struct PeerOwnerTests {
    /// A server on this machine that accepts connections, or leaves them in the backlog.
    private struct Listener {
        let channel: any Channel

        init(_ host: String, accepts: Bool = true, on loop: any EventLoop) async throws {
            channel = try await ServerBootstrap(group: loop)
                .serverChannelOption(.autoRead, value: accepts)
                .bind(host: host, port: 0).get()
        }

        var port: Int { channel.localAddress?.port ?? 0 }
    }

    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// The far end of a new connection.
    private func connection(
        to listener: Listener,
        at host: String
    ) async throws -> (channel: any Channel, far: TCPConnection) {
        let channel = try await ClientBootstrap(group: loop).connect(host: host, port: listener.port).get()
        let (remote, local) = (try #require(channel.remoteAddress), try #require(channel.localAddress))
        return (channel, try #require(TCPConnection(from: remote, to: local)))
    }

    @Test(
        "the kernel reports the owner of the far end, by sock_diag and in its tables, over IPv4, IPv6 and both",
        arguments: [("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("::", "127.0.0.1"), ("::", "::1")]
    )
    func owner(listening: String, connecting: String) async throws {
        let listener = try await Listener(listening, on: loop)
        let (channel, far) = try await connection(to: listener, at: connecting)
        try await eventually { far.owner == .user(geteuid()) }
        #expect(far.tabledOwner == .user(geteuid()))
        try await channel.close()
        try await listener.channel.close()
        try await eventually { ![far.owner, far.tabledOwner].contains(.user(geteuid())) }
    }

    @Test("a connection that is not accepted has no owner")
    func unaccepted() async throws {
        let listener = try await Listener("127.0.0.1", accepts: false, on: loop)
        let (channel, far) = try await connection(to: listener, at: "127.0.0.1")
        try await eventually { far.owner == .unaccepted }
        #expect(far.tabledOwner == .unaccepted)
        try await channel.close()
        try await listener.channel.close()
    }

    /// Checks the owner of a connection that the server has not accepted yet.
    private func check(
        at listener: Listener,
        over channel: any Channel,
        within time: TimeAmount
    ) throws -> EventLoopFuture<Void> {
        let (pool, rule) = (NIOThreadPool.singleton, PlaintextRule(.loopback, PlaintextPermission(user: .here)))
        let check = PeerOwnerCheck(trust: .current, rule: rule, loop: loop, pool: pool) { false }
        return check.check(channel, before: .now() + time)
    }

    @Test("a server that was paused has the whole time of a call to accept the connection")
    func paused() async throws {
        let listener = try await Listener("127.0.0.1", accepts: false, on: loop)
        let (channel, far) = try await connection(to: listener, at: "127.0.0.1")
        let verdict = try check(at: listener, over: channel, within: .seconds(60))
        // Longer than the second in which the kernel reports an owner: no event ends this time.
        try await loop.sleep(for: .milliseconds(1_200))
        #expect(far.owner == .unaccepted)
        try await listener.channel.setOption(.autoRead, value: true).get()
        listener.channel.read()
        try await verdict.get()
        try await channel.close()
        try await listener.channel.close()
    }

    @Test("a server that does not accept the connection in the time of the call is unreachable, with the port")
    func late() async throws {
        let listener = try await Listener("127.0.0.1", accepts: false, on: loop)
        let (channel, _) = try await connection(to: listener, at: "127.0.0.1")
        let reason = StateReason(code: .noListener, port: Int64(listener.port))
        await #expect(throws: BrokerError.unreachable(reason)) {
            try await check(at: listener, over: channel, within: .milliseconds(400)).get()
        }
        try await channel.close()
        try await listener.channel.close()
    }

    @Test("the check ends with its connection")
    func closed() async throws {
        let listener = try await Listener("127.0.0.1", accepts: false, on: loop)
        let (channel, far) = try await connection(to: listener, at: "127.0.0.1")
        let verdict = try check(at: listener, over: channel, within: .seconds(60))
        try await eventually { far.owner == .unaccepted }
        try await channel.close()
        await #expect(throws: RemotingError.unreachable(.closed)) { try await verdict.get() }
        try await listener.channel.close()
    }

    @Test("a server that never accepts gets no login, and is unreachable")
    func neverAccepted() async throws {
        let fixture = try await BrokerFixture()
        let listener = try await Listener("127.0.0.1", accepts: false, on: loop)
        let endpoint = try await fixture.endpoint(at: listener.channel.localAddress)
        let login = try await fixture.login(to: endpoint)
        let steps = try await fixture.broker.test(login).steps
        guard case .unreachable? = steps.last?.error else {
            Issue.record("\(steps)")
            return
        }
        try await listener.channel.close()
    }

    @Test("if owners cannot be distinguished no byte is sent, unless the user has permitted it for this server")
    func unknown() async throws {
        // As in a user namespace, in which all other users are the overflow user. Here this process has that role.
        let peers = PeerTrust(user: 0, overflowUser: geteuid(), isInitialNamespace: false)
        let fixture = try await BrokerFixture(peers: peers)
        let server = try await ScriptedServer(on: fixture.loop) { .accepted($0) }
        let endpoint = try await fixture.endpoint(at: server.address)
        let login = try await fixture.login(to: endpoint)
        let refusal = BrokerError.ownerUnknown(port: endpoint.url.port)
        await #expect(throws: refusal) { try await fixture.open(endpoint) }
        #expect(try await fixture.broker.test(login).steps.last?.error == refusal)
        #expect(server.received == 0 && server.connections > 0)

        _ = try await fixture.registry.set(endpoint.id, EndpointSettings { $0.acceptsUnknownOwner = true })
        _ = try await fixture.open(endpoint)
        #expect(server.count("LoginEx") == 1)

        _ = try await fixture.registry.set(endpoint.id, EndpointSettings { $0.acceptsUnknownOwner = false })
        #expect(try await fixture.broker.test(login).steps.last?.error == refusal)
        #expect(server.count("LoginEx") == 1)
    }

    /// The number of attempts of the test for the race; `make soak` makes more.
    private static let tries = Soak.count(200, soak: 10_000)

    @Test(
        "another user that listens from time to time while the server is down gets no byte of any login",
        .enabled(
            if: Requirement.allMet([.root, .program("setpriv"), .program("/usr/bin/python3")]),
            "setpriv(1) as root"
        )
    )
    func stranger() async throws {
        let port = try #require(try LoopbackPort.free(1).first)
        // Accepts immediately, late or never, and counts the received bytes.
        let program = """
            import select, socket, sys, time
            total = connections = 0
            kept = []
            def look(patience):
                global total
                for one in select.select(kept, [], [], patience)[0]:
                    try: piece = one.recv(65536)
                    except ConnectionError: piece = b""
                    total += len(piece)
                    if not piece: kept.remove(one); one.close()
            turn = 0
            print("ready", flush=True)
            while not select.select([sys.stdin], [], [], 0.001 * (turn % 3))[0]:
                turn += 1
                server = socket.socket()
                server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                server.bind(("127.0.0.1", \(port)))
                server.listen(64)
                for wait in (0.002, 0, 0.005):
                    time.sleep(wait if turn % 2 else 0)
                    if select.select([server], [], [], 0.004)[0]:
                        kept.append(server.accept()[0]); connections += 1
                    look(0)
                server.close()
            end = time.time() + 0.3
            while kept and time.time() < end: look(0.05)
            print(connections, total, flush=True)
            """
        let fixture = try await BrokerFixture(
            peers: PeerTrust(user: geteuid(), isInitialNamespace: true)
        )
        let endpoint = try await fixture.endpoint(at: try SocketAddress(ipAddress: "127.0.0.1", port: Int(port)))
        let login = try await fixture.login(to: endpoint)
        let stranger = try ChildProcess(
            ["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", "--", "/usr/bin/python3", "-c", program]
        )
        var lines = stranger.outputLines(silence: .seconds(300)).makeAsyncIterator()
        #expect(await lines.next() == "ready")
        var (tries, refusals) = (0, 0)
        let end = ContinuousClock.now + .seconds(120)
        while tries < Self.tries || refusals == 0, ContinuousClock.now < end {
            tries += 1
            switch try await fixture.broker.test(login).steps.last?.error {
            case .identityConflict: refusals += 1
            case .unreachable: break
            case let other: Issue.record("\(String(describing: other))")
            }
        }
        stranger.closeInput()
        let counts = try #require(await lines.next()).split(separator: " ").compactMap { Int($0) }
        print("\(tries) tries: \(refusals) refused, \(counts[0]) accepted, \(counts[1]) bytes")
        #expect(refusals > 0 && counts[0] > 0)
        #expect(counts[1] == 0)
        #expect(stranger.wait() == 0)
    }
}
