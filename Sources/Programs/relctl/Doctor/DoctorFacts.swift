// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LocalAPI
import Platform
import Varlink

/// The facts that `relctl doctor` examines. They are gathered in one place and evaluated in another, so that each
/// evaluation can be tested without the real problem.
struct DoctorFacts {
    enum Daemon {
        case answers(ManagerAPI.Status)
        case unreachable(errno: Int32)
        /// A process listens, but does not reply.
        case silent
        case failed(reason: String)
    }

    /// Whether a process listens on a Unix socket.
    enum Listener: Equatable {
        case listens
        case refuses(errno: Int32)
    }

    var place: DaemonPlace
    var daemon: Daemon
    var busPath: String
    var bus: Listener
    /// Files of the administrator that deny access to Avahi on the system bus.
    var busPolicies: [String] = []
    var avahi: Avahi
    var avahiSettings = AvahiSettings()
    /// All interfaces, including loopback.
    var interfaces: [Interface]
    var multicastSockets: Set<MulticastSocket>
    /// The results of a multicast DNS query, by interface name; empty if none was sent.
    var multicastAnswers: [String: MulticastQuery.Answer] = [:]
    var rootAccess = RootAccess.sudo
    /// Whether the daemon belongs to `relctl sandbox`, which does not use the network.
    var isOfSandbox = false
    /// All endpoints; empty if the daemon does not reply, for which there is a finding.
    var endpoints: [RegistryAPI.Endpoint] = []
    /// The IDs of pinned endpoints; empty while the vault is not unlocked.
    var pinned: Set<String> = []
    /// The administrator's files of servers.
    var administratorsFiles: [String] = []
    var vault: CredentialsAPI.Vault?
    /// The daemon's directories and the files in them.
    var files: [FileFacts] = []
    var user: UInt32
    var logins = Logins()
    /// The path to the server in question; nil if none was named.
    var way: Way?
    /// Whether the named login may be in a vault that is locked, so that its server is unknown.
    var isLoginLockedUp = false

    var status: ManagerAPI.Status? {
        if case .answers(let status) = daemon { status } else { nil }
    }
}

extension DoctorFacts {
    enum Avahi: Equatable {
        case answers
        case notInstalled
        case notRunning
        /// The daemon runs, but does not reply.
        case silent
    }

    struct Interface: Equatable {
        var name: String
        var isLoopback = false
        var isUp: Bool
        var isRunning: Bool
        var takesMulticast: Bool
        var addresses: Int
        var hasIPv4 = false
    }

    /// A UDP socket on port 5353.
    struct MulticastSocket: Hashable {
        var user: String
        /// The name of its process; nil if relctl may not read it.
        var program: String?
    }

    /// The daemon's socket and its surroundings.
    struct DaemonPlace {
        var path: String
        /// The default socket and whether a process listens on it, if `RELATIVITYD_SOCKET` names another socket.
        var usual: (path: String, listens: Bool)?
        /// The listening process, if a signal has stopped it.
        var stopped: Int32?
        /// Whether a daemon holds the lock of the socket's directory.
        var isClaimed = false
        /// The socket; nil if it does not exist.
        var file: FileFacts?
        /// The reason why the daemon would not start; nil if it would, or if it runs.
        var refusal: Refusal?
    }

    /// The error of `relativityd --check`.
    struct Refusal: Equatable {
        var reason: String
        /// The invalid configuration file.
        var file: String?
        /// Whether only root may change the file.
        var isOfMachine = false
    }

    /// The stored logins that are known.
    struct Logins {
        var names: [String] = []
        /// The reason why some may be missing.
        var missing: String?
        /// The default login.
        var standing: ChosenLogin?
    }
}

extension DoctorFacts {
    private static let avahiSocket = "/run/avahi-daemon/socket"
    private static let usualBus = "/run/dbus/system_bus_socket"
    private static let policies = "/etc/dbus-1/system.d"
    private static let administratorsDirectory = "/etc/relativityd/endpoints.d"

    /// Gathers the facts. Takes a few seconds at most, even if the daemon or Avahi does not reply.
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
        let data = facts.vault.map { UserPath.folder(of: $0.path) }
        let runtime = try? directories?.runtime()
        facts.files = [data ?? directories?.data, directories?.state, runtime].compactMap { $0 }
            .flatMap { FileFacts.all(in: $0) }
        return facts
    }

    /// Gathers the facts that only the daemon can provide.
    private mutating func ask() {
        let client = try? DaemonClient()
        endpoints = client?.readable(RegistryAPI.ListCall(), "endpoints") ?? []
        vault = try? client.map { try CredentialsAPI.Vault.fetch($0) }
        let pins: [CredentialsAPI.Pin] = client?.readable(CredentialsAPI.ListPinsCall(), "pins") ?? []
        pinned = Set(pins.map(\.endpoint))
        let reply = try? client?.json(CredentialsAPI.ListLoginsCall())
        logins.names = (try? reply?.objects("logins").map { try $0.string("name") }) ?? []
        logins.missing = reply == nil ? "the daemon did not list them" : (try? reply?.optionalString("missing")) ?? nil
    }

    private static func daemon() -> Daemon {
        do {
            return .answers(try DaemonClient().call(ManagerAPI.GetStatusCall()).status)
        } catch VarlinkClientError.noService(_, ECONNRESET) {
            return .failed(reason: "it closes the connection before a reply")
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

    /// The path of the bus. For other kinds of addresses, the usual path is used.
    private static func busPath(_ address: String?) -> String {
        let prefix = "unix:path="
        guard let first = address?.split(separator: ";").first, first.hasPrefix(prefix) else { return usualBus }
        return String(first.dropFirst(prefix.count).prefix { $0 != "," })
    }

    /// Policy files that deny access to Avahi, without Avahi's own file, which is needed.
    private static var busPolicies: [String] {
        DirectoryNames.of(policies).filter { $0.hasSuffix(".conf") && $0 != "avahi-dbus.conf" }
            .map { "\(policies)/\($0)" }
            .filter { path in
                let text = TextFile.read(path, maximumBytes: 64 << 10) ?? ""
                return text.contains("<deny") && text.contains("org.freedesktop.Avahi")
            }
    }

    /// Probes Avahi by its simple protocol, without a bus: it replies to a known command with a line.
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
    /// The elements of a list in a reply. Elements that this version cannot decode are skipped, so that the doctor
    /// works with a daemon of another version.
    func readable<Element: JSONRecord>(_ call: some VarlinkMethodCall, _ list: String) -> [Element] {
        let objects = try? json(call).objects(list)
        return objects?.compactMap { try? Element(json: $0) } ?? []
    }
}

extension DoctorFacts.Interface {
    /// All interfaces of this machine, sorted by name.
    static var all: [Self] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [String: Self] = [:]
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let entry = entry?.pointee else { break }
            let flags = entry.ifa_flags
            let name = String(cString: entry.ifa_name)
            var interface =
                found[name]
                ?? Self(
                    name: name,
                    isLoopback: flags & UInt32(IFF_LOOPBACK) != 0,
                    isUp: flags & UInt32(IFF_UP) != 0,
                    isRunning: flags & UInt32(IFF_RUNNING) != 0,
                    takesMulticast: flags & UInt32(IFF_MULTICAST) != 0,
                    addresses: 0
                )
            let family = entry.ifa_addr.map { Int32($0.pointee.sa_family) }
            if family == AF_INET || family == AF_INET6 { interface.addresses += 1 }
            if family == AF_INET { interface.hasIPv4 = true }
            found[name] = interface
        }
        return found.values.sorted { $0.name < $1.name }
    }
}

extension DoctorFacts.MulticastSocket {
    private static let largestTable = 4 << 20
    /// Port 5353 as written in the kernel's tables.
    private static let port = ":14E9"

    /// All sockets bound to UDP port 5353.
    static var all: Set<Self> {
        var users: [String: UInt32] = [:]
        for path in ["/proc/net/udp", "/proc/net/udp6"] {
            let table = TextFile.read(path, maximumBytes: largestTable) ?? ""
            for line in table.split(separator: "\n").dropFirst() {
                let fields = line.split(separator: " ")
                guard fields.count > 9, fields[1].hasSuffix(port), let user = UInt32(fields[7]) else { continue }
                users[String(fields[9])] = user
            }
        }
        let programs = programs(ofSockets: Set(users.keys))
        return Set(users.map { inode, user in Self(user: UserName.of(user), program: programs[inode]) })
    }

    /// The names of the programs that hold sockets, if relctl may read them.
    private static func programs(ofSockets inodes: Set<String>) -> [String: String] {
        guard !inodes.isEmpty else { return [:] }
        var found: [String: String] = [:]
        for process in DirectoryNames.of("/proc") where process.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            for descriptor in DirectoryNames.of("/proc/\(process)/fd") {
                let target = destination(of: "/proc/\(process)/fd/\(descriptor)")
                guard target.hasPrefix("socket:["), inodes.contains(String(target.dropFirst(8).dropLast())) else {
                    continue
                }
                let name = TextFile.read("/proc/\(process)/comm", maximumBytes: 64)
                found[String(target.dropFirst(8).dropLast())] = name.map { String($0.prefix { $0 != "\n" }) }
            }
        }
        return found
    }

    private static func destination(of link: String) -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        let count = readlink(link, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
