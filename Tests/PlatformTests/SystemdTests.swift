// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@Suite("The systemd interfaces")
struct SystemdTests {
    private let temporary = TemporaryDirectory()

    @Test("messages reach the manager's socket, by path and in the abstract namespace", arguments: [false, true])
    func notify(isAbstract: Bool) throws {
        let name = isAbstract ? "@" + temporary.path : temporary.path(of: "n")
        let address = try #require(UnixAddress(path: name))
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        #expect(address.withSockaddr { bind(descriptor, $0, $1) } == 0)

        let notification = ServiceNotification(Environment(["NOTIFY_SOCKET": name]))
        try notification.send(.ready, .status("3 endpoints\nREADY=0"))
        try notification.send(.watchdog)
        try notification.send(.stopping)
        #expect(Self.receive(descriptor) == "READY=1\nSTATUS=3 endpoints READY=0")
        #expect(Self.receive(descriptor) == "WATCHDOG=1")
        #expect(Self.receive(descriptor) == "STOPPING=1")
    }

    private static func receive(_ descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    @Test("send does nothing without a manager, and throws if its socket is dead")
    func noManager() throws {
        try ServiceNotification(Environment([:])).send(.ready)
        try ServiceNotification(Environment(["NOTIFY_SOCKET": "relative"])).send(.ready)
        let dead = ServiceNotification(Environment(["NOTIFY_SOCKET": temporary.path(of: "gone")]))
        #expect(throws: PlatformError.self) { try dead.send(.ready) }
    }

    @Test(
        "the watchdog interval applies only to the process that it names",
        arguments: [
            (["WATCHDOG_USEC": "20000000"], Duration.seconds(20)),
            (["WATCHDOG_USEC": "500", "WATCHDOG_PID": "42"], .microseconds(500)),
            (["WATCHDOG_USEC": "500", "WATCHDOG_PID": "43"], nil),
            (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "soon"], nil),
            ([:], nil),
        ] as [([String: String], Duration?)]
    )
    func watchdog(variables: [String: String], interval: Duration?) {
        #expect(ServiceNotification(Environment(variables), processID: 42).watchdogInterval == interval)
    }

    @Test("PassedSockets reads the names, and only sockets meant for this process")
    func passedSockets() {
        let variables = ["LISTEN_PID": "42", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "api::x"]
        let passed = PassedSockets(Environment(variables), processID: 42)
        #expect(passed.sockets.map(\.descriptor) == [3, 4, 5])
        #expect(passed.sockets.map(\.name) == ["api", "unknown", "x"])
        #expect(PassedSockets(Environment(variables), processID: 43).sockets.isEmpty)
        for count in ["0", "-1", "65", "many", ""] {
            let hostile = Environment(["LISTEN_PID": "42", "LISTEN_FDS": count])
            #expect(PassedSockets(hostile, processID: 42).sockets.isEmpty)
        }
    }

    @Test("UnixAddress rejects paths that do not fit")
    func addresses() {
        #expect(UnixAddress(path: "/" + String(repeating: "x", count: 106)) != nil)
        for path in ["", "@", "/", "x", "/" + String(repeating: "x", count: 107)] {
            #expect(UnixAddress(path: path) == nil)
        }
    }

    @Test("ofProcess reads the environment, and an empty variable is unset")
    func environment() {
        #expect(Environment.ofProcess()["PATH"] == getenv("PATH").map { String(cString: $0) })
        #expect(Environment(["A": ""])["A"] == nil)
    }
    @Test("a program that is started gets no passed socket")
    func notInherited() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for descriptor in ends { close(descriptor) } }
        try PassedSockets([.init(descriptor: ends[0], name: "api")]).closeOnExec()
        #expect(ends.map { fcntl($0, F_GETFD) } == [FD_CLOEXEC, 0])
    }

    @Test("endWaitingConnections closes connections of passed sockets only")
    func waitingConnections() throws {
        func listener(_ name: String) throws -> (descriptor: Int32, client: Int32) {
            let address = try #require(UnixAddress(path: temporary.path(of: name)))
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            #expect(address.withSockaddr { bind(descriptor, $0, $1) } == 0 && listen(descriptor, 4) == 0)
            let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            #expect(address.withSockaddr { connect(client, $0, $1) } == 0)
            return (descriptor, client)
        }
        let passed = try listener("passed")
        let other = try listener("other")
        defer {
            for descriptor in [passed.descriptor, passed.client, other.descriptor, other.client] { close(descriptor) }
        }
        PassedSockets([.init(descriptor: passed.descriptor, name: "api")]).endWaitingConnections()
        var byte: UInt8 = 0
        #expect(recv(passed.client, &byte, 1, Int32(MSG_DONTWAIT)) == 0)
        #expect(recv(other.client, &byte, 1, Int32(MSG_DONTWAIT)) == -1 && errno == EAGAIN)
        // With no waiting connection it must not block.
        PassedSockets([.init(descriptor: passed.descriptor, name: "api")]).endWaitingConnections()
    }
}
