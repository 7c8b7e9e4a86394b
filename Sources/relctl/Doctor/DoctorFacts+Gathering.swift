// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LocalAPI
import Platform
import Varlink

extension DoctorFacts {
    private static let avahiSocket = "/run/avahi-daemon/socket"
    private static let usualBus = "/run/dbus/system_bus_socket"

    /// Looks at this machine as it is now. Takes three seconds at most, where things hang.
    static func gathered(_ environment: Environment) -> DoctorFacts {
        let bus = busPath(environment["DBUS_SYSTEM_BUS_ADDRESS"])
        return DoctorFacts(
            socketPath: SocketPath.ofClient(),
            daemon: daemon(),
            busPath: bus,
            bus: listener(on: bus),
            avahi: avahi(environment),
            interfaces: Interface.all,
            multicastSockets: MulticastSocket.all,
            conflicts: conflicts()
        )
    }

    /// None where the daemon does not answer, which is told as such.
    private static func conflicts() -> [EndpointRecord] {
        guard let reply = try? DaemonClient().call("org.relativityd.Registry.List") else { return [] }
        let records = try? reply.objects("endpoints").map { try EndpointRecord(json: $0) }
        return records?.filter { $0.state == .conflict } ?? []
    }

    private static func daemon() -> Daemon {
        do {
            let reply = try DaemonClient().call("org.relativityd.Manager.GetStatus")
            return .answers(try StatusRecord(json: try reply.object("status")))
        } catch VarlinkClientError.noService(_, let errno) {
            return .unreachable(errno: errno)
        } catch VarlinkClientError.deadlinePassed {
            return .silent
        } catch {
            return .failed(reason: "\(error)")
        }
    }

    private static func listener(on path: String) -> Listener {
        let failure = LocalSocket.connect(to: path)
        return failure == 0 ? .listens : .refuses(errno: failure)
    }

    /// Addresses of other kinds than a path are not looked at: the usual one is.
    private static func busPath(_ address: String?) -> String {
        let prefix = "unix:path="
        guard let first = address?.split(separator: ";").first, first.hasPrefix(prefix) else { return usualBus }
        return String(first.dropFirst(prefix.count).prefix { $0 != "," })
    }

    /// Avahi's own little protocol, without any bus: it greets a command that it knows with a line.
    private static func avahi(_ environment: Environment) -> Avahi {
        var isAnswering = false
        let failure = LocalSocket.connect(to: avahiSocket) { socket in
            isAnswering = socket.answers("HELP\n", withinMilliseconds: 1_000)
        }
        guard failure != 0 else { return isAnswering ? .answers : .silent }
        let directories = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let places = directories + ["/usr/sbin", "/usr/local/sbin", "/sbin"]
        return places.contains { access("\($0)/avahi-daemon", X_OK) == 0 } ? .notRunning : .notInstalled
    }
}
