// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LocalAPI
import Platform
import Varlink

extension DoctorFacts {
    private static let avahiSocket = "/run/avahi-daemon/socket"
    private static let usualBus = "/run/dbus/system_bus_socket"
    private static let policies = "/etc/dbus-1/system.d"
    private static let administratorsDirectory = "/etc/relativityd/endpoints.d"

    /// Looks at this machine as it is now. Takes a few seconds at most, where things hang.
    static func gathered(_ environment: Environment) -> DoctorFacts {
        let bus = busPath(environment["DBUS_SYSTEM_BUS_ADDRESS"])
        let daemon = daemon()
        let directories = try? Directories(environment)
        var facts = DoctorFacts(
            place: .gathered(daemon, environment),
            daemon: daemon,
            busPath: bus,
            bus: listener(on: bus),
            avahi: avahi(environment),
            interfaces: Interface.all,
            multicastSockets: MulticastSocket.all,
            user: getuid()
        )
        let settings = TextFile.read(AvahiSettings.path, maximumBytes: AvahiSettings.maximumBytes)
        facts.avahiSettings = settings.map { AvahiSettings($0) } ?? AvahiSettings()
        facts.busPolicies = busPolicies
        facts.rootAccess = .gathered(environment)
        facts.isOfSandbox = Sandbox.isSocket(facts.place.path)
        if !facts.isOfSandbox {
            let asked = facts.interfaces.filter { !$0.isLoopback && $0.isUsable && $0.hasIPv4 }
            facts.multicastAnswers = MulticastQuery.answers(on: asked.map(\.name))
        }
        facts.administratorsFiles = DirectoryNames.of(administratorsDirectory).map {
            "\(administratorsDirectory)/\($0)"
        }
        facts.logins.standing = try? ChosenLogin.standing(environment)
        if facts.status != nil { facts.ask() }
        let data = facts.vault.map { String($0.path.prefix(upTo: $0.path.lastIndex(of: "/") ?? $0.path.startIndex)) }
        let runtime = try? directories?.runtime()
        facts.files = [data ?? directories?.data, directories?.state, runtime].compactMap { $0 }
            .flatMap { FileFacts.all(in: $0) }
        return facts
    }

    /// What only a daemon that answers can tell.
    private mutating func ask() {
        let client = try? DaemonClient()
        endpoints = client?.readable(RegistryAPI.ListCall(), "endpoints") ?? []
        vault = try? client.map { try VaultCommand.status($0) }
        let pins: [CredentialsAPI.Pin] = client?.readable(CredentialsAPI.ListPinsCall(), "pins") ?? []
        pinned = Set(pins.map(\.endpoint))
        let reply = try? client?.json(CredentialsAPI.ListLoginsCall())
        logins.names = (try? reply?.objects("logins").map { try $0.string("name") }) ?? []
        logins.missing = reply == nil ? "the daemon does not tell" : (try? reply?.optionalString("missing")) ?? nil
    }

    private static func daemon() -> Daemon {
        do {
            return .answers(try DaemonClient().call(ManagerAPI.GetStatusCall()).status)
        } catch VarlinkClientError.noService(_, let errno) {
            return .unreachable(errno: errno)
        } catch VarlinkClientError.deadlinePassed {
            return .silent
        } catch {
            return .failed(reason: "\(error)")
        }
    }

    static func listener(on path: String) -> Listener {
        let failure = LocalSocket.connect(to: path)
        return failure == 0 ? .listens : .refuses(errno: failure)
    }

    /// Addresses of other kinds than a path are not looked at: the usual one is.
    private static func busPath(_ address: String?) -> String {
        let prefix = "unix:path="
        guard let first = address?.split(separator: ";").first, first.hasPrefix(prefix) else { return usualBus }
        return String(first.dropFirst(prefix.count).prefix { $0 != "," })
    }

    /// Avahi's own file, which denies little and is needed, is none of these.
    private static var busPolicies: [String] {
        DirectoryNames.of(policies).filter { $0.hasSuffix(".conf") && $0 != "avahi-dbus.conf" }
            .map { "\(policies)/\($0)" }
            .filter { path in
                let text = TextFile.read(path, maximumBytes: 64 << 10) ?? ""
                return text.contains("<deny") && text.contains("org.freedesktop.Avahi")
            }
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

extension DaemonClient {
    /// The elements of a list in a reply that this version can read. The others are left out, so that a doctor still sees
    /// something of a daemon of another version.
    func readable<Element: JSONRecord>(_ call: some VarlinkMethodCall, _ list: String) -> [Element] {
        let objects = try? json(call).objects(list)
        return objects?.compactMap { try? Element(json: $0) } ?? []
    }
}
