// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("The local API from outside", .timeLimit(.minutes(2)))
struct OutsideAPITests {
    private static let interfaces = ["Manager", "Registry", "Credentials", "Broker", "Audit"].map {
        "org.relativityd.\($0)"
    }

    @Test(
        "the varlink client of PyPI lists the interfaces, reads their descriptions and calls them",
        .enabled(if: Requirement.allMet([.program(Sources.python)], for: "the Python client"), "scripts/python-env.sh")
    )
    func pythonClient() async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        let address = "unix:" + deployment.socket
        let info = try await varlink("info", address)
        for interface in Self.interfaces + ["org.varlink.service"] {
            #expect(info.contains(interface))
            #expect(try await varlink("help", "\(address)/\(interface)").contains("interface \(interface)"))
        }
        for (method, member) in [
            ("Manager.GetStatus", "status"), ("Registry.List", "endpoints"), ("Credentials.GetStatus", "vault"),
            ("Broker.List", "adapters"),
        ] {
            let reply = try JSONValue(parsing: try await varlink("call", "\(address)/org.relativityd.\(method)"))
            #expect(reply.objectValue?[member] != nil, "\(method)")
        }
        try await daemon.end()
    }

    @Test(
        "another user is refused even where the permissions would let him in",
        .enabled(if: Requirement.allMet([.root]))
    )
    func anotherUser() async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        for path in [
            deployment.home.path, deployment.home.path(of: "run"), deployment.home.path(of: "run/relativityd"),
        ] {
            chmod(path, 0o755)
        }
        chmod(deployment.socket, 0o666)
        let script = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(10)
            try:
                s.sendall(b'{"method":"org.relativityd.Manager.GetStatus"}\\0')
                print(len(s.recv(100)))
            except ConnectionError: print(0)
            """
        let other = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        let program = ["/usr/bin/python3", "-c", script, deployment.socket]
        #expect(try await Command(other + program).succeed() == "0\n")
        #expect(try await Command(program).succeed() != "0\n")
        try await daemon.end()
    }

    @Test("garbage, half a frame, a frame of a megabyte and 300 connections leave the daemon as it was")
    func hostilePeers() async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        let status = try #require(try await deployment.json("status").objectValue)
        let pid = try status.integer("pid")
        let before = descriptors(of: pid)
        let socket = deployment.socket
        try await BlockingWork.run {
            for bytes in [
                [UInt8](repeating: 0xFF, count: 4_096), Array("{\"method\":\"org.varlink".utf8), [0, 0, 0],
                [UInt8](repeating: UInt8(ascii: "{"), count: 1 << 20), Array("GET / HTTP/1.1\r\n\r\n".utf8),
                Array("{\"method\":3}\0".utf8), Array("[]\0null\0".utf8),
            ] {
                let peer = try UnixStream(path: socket)
                peer.send(bytes)
            }
            // More than one process may have: the rest is closed at once.
            let crowd = (0..<300).compactMap { _ in try? UnixStream(path: socket) }
            let call = Array("{\"method\":\"org.varlink.service.GetInfo\"}\0".utf8)
            let answered = crowd.count { $0.send(call) && (try? $0.receiveFrame())?.last == 0 }
            #expect((1...32).contains(answered), "\(answered) of \(crowd.count) were served")
        }
        try await eventually { descriptors(of: pid) <= before }
        #expect(try #require(try await deployment.json("status").objectValue).integer("pid") == pid)
        try await daemon.end()
    }

    private func varlink(_ arguments: String...) async throws -> String {
        try await Command([Sources.python, "-m", "varlink.cli"] + arguments).succeed()
    }

    private func descriptors(of pid: Int64) -> Int {
        guard let directory = opendir("/proc/\(pid)/fd") else { return -1 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }
}
