// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite(
    "relctl doctor on a machine in trouble",
    .enabled(
        if: Requirement.allMet([.root, .avahi, .program("python3"), .program("setpriv")]),
        "needs root and avahi"
    ),
    .timeLimit(.minutes(3))
)
struct DoctorTests {
    @Test("each trouble is named, and what is advised ends it")
    func troubles() async throws {
        try await LAN.with(.hosts(1)) { lan in
            let deployment = Deployment(on: lan)
            let doctor = Doctor(deployment: deployment, lan: lan)
            #expect(try await doctor.faults().contains("daemon"))
            var daemon = try await deployment.startDaemon()
            try await doctor.awaitFaults([])

            daemon.send("STOP")
            #expect(try await doctor.faults() == ["daemon"])
            daemon.send("CONT")
            try await doctor.awaitFaults([])

            try await lan.avahi(.stop, on: 1)
            #expect(try await doctor.finding("avahi").string("finding").contains("hangs"))
            try await lan.avahi(.continue, on: 1)
            try await lan.avahi(.terminate, on: 1)
            try await doctor.awaitFaults(["avahi", "source"])
            #expect(try await doctor.finding("avahi").string("finding").contains("not running"))
            let program = try await lan.command(on: 1, ["sh", "-c", "command -v avahi-daemon"]).succeed()
            let path = String(program.prefix { $0 != "\n" })
            try await lan.command(on: 1, ["mount", "--bind", "/dev/null", path]).succeed()
            #expect(try await doctor.finding("avahi").string("finding").contains("not installed"))
            try await lan.command(on: 1, ["umount", path]).succeed()
            try await lan.avahi(.start, on: 1)
            try await doctor.awaitFaults([])

            try await lan.command(on: 1, ["ip", "link", "set", "eth0", "down"]).succeed()
            try await doctor.awaitFaults(["interfaces"])
            try await doctor.tryRemedy(of: "interfaces")
            try await doctor.awaitFaults([])
            try await lan.command(on: 1, ["ip", "link", "set", "eth0", "multicast", "off"]).succeed()
            try await doctor.awaitFaults(["interfaces"])
            try await doctor.tryRemedy(of: "interfaces")
            try await doctor.awaitFaults([])

            try await lan.command(on: 1, ["chmod", "600", "/run/dbus/system_bus_socket"]).succeed()
            let stranger = ["setpriv", "--reuid=65534", "--clear-groups", "--"]
            let denied = try await doctor.finding("bus", through: stranger)
            #expect(try denied.string("finding").contains("denied"))
            try await doctor.tryRemedy(of: "bus", through: stranger)
            #expect(try await doctor.finding("bus", through: stranger).string("verdict") == "ok")

            let bind = """
                import socket, sys
                s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                s.bind(("", 5353)); print("bound", flush=True); sys.stdin.read()
                """
            let other = try lan.start(on: 1, ["python3", "-c", bind])
            try await eventually { try await doctor.finding("mdns-port").string("verdict") == "warning" }
            let port = try await doctor.finding("mdns-port")
            #expect(try port.string("evidence").contains("python3"))
            other.closeInput()
            _ = other.wait()
            // By the name that the kernel shows of systemd-resolved.
            let link = "ln -s /usr/bin/python3 /run/systemd-resolve; exec /run/systemd-resolve -c \"$0\""
            let resolved = try lan.start(on: 1, ["sh", "-c", link, bind])
            try await eventually {
                try await doctor.finding("mdns-port").string("finding").hasPrefix("systemd-resolved speaks")
            }
            resolved.closeInput()
            _ = resolved.wait()
            #expect(try await doctor.finding("mdns-port").string("verdict") == "ok")

            try await lan.bus(.terminate, on: 1)
            try await doctor.awaitFaults(["avahi", "bus", "source"])
            try await daemon.end()
            try await lan.bus(.start, on: 1)
            try await lan.avahi(.start, on: 1)
            daemon = try await deployment.startDaemon()
            try await doctor.awaitFaults([])
            try await daemon.end()
        }
    }

    private struct Doctor {
        let deployment: Deployment
        let lan: LAN

        func findings(through prefix: [String] = []) async throws -> [JSONObject] {
            var command = lan.command(on: 1, prefix + [Products.path(of: "relctl"), "doctor", "--json"])
            command.environment.merge(deployment.environment) { $1 }
            let output = try await command.run()
            #expect(output.status == 0 || output.status == 1, "\(output)")
            return try #require(try JSONValue(parsing: output.standardOutput).objectValue).objects("findings")
        }

        func faults() async throws -> [String] {
            try await findings().filter { try $0.string("verdict") == "fault" }.map { try $0.string("check") }.sorted()
        }

        func awaitFaults(_ expected: [String]) async throws {
            var seen: [String] = ["nothing"]
            do {
                try await eventually {
                    seen = try await faults()
                    return seen == expected
                }
            } catch {
                Issue.record("faults are \(seen), not \(expected)")
                throw error
            }
        }

        func finding(_ check: String, through prefix: [String] = []) async throws -> JSONObject {
            try #require(try await findings(through: prefix).first { try $0.string("check") == check })
        }

        /// Does what a person would copy from the output, as root.
        func tryRemedy(of check: String, through prefix: [String] = []) async throws {
            let remedy = try await finding(check, through: prefix).string("remedy")
            try #require(remedy.hasPrefix("sudo "))
            try await lan.command(on: 1, ["sh", "-c", String(remedy.dropFirst(5))]).succeed()
        }
    }
}
