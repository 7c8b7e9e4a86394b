// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LocalAPI
import Platform
import Varlink

/// What `relctl doctor` looks at. Gathered in one place, judged in another, so that each judgement can be tried without
/// the trouble that it is about.
struct DoctorFacts {
    enum Daemon {
        case answers(ManagerAPI.Status)
        case unreachable(errno: Int32)
        /// Somebody listens, and says nothing.
        case silent
        case failed(reason: String)
    }

    /// Whether somebody listens on a Unix socket.
    enum Listener: Equatable {
        case listens
        case refuses(errno: Int32)
    }

    var place: DaemonPlace
    var daemon: Daemon
    var busPath: String
    var bus: Listener
    /// Files of the administrator's that deny somebody something of Avahi's.
    var busPolicies: [String] = []
    var avahi: Avahi
    var avahiSettings = AvahiSettings()
    /// Loopback too.
    var interfaces: [Interface]
    var multicastSockets: Set<MulticastSocket>
    /// What came of a query by multicast DNS, by the interface's name; empty if none was asked.
    var multicastAnswers: [String: MulticastQuery.Answer] = [:]
    var rootAccess = RootAccess.sudo
    /// The daemon is that of a `relctl sandbox`, which is kept from the network on purpose.
    var isOfSandbox = false
    /// All of the list; none where the daemon does not answer, which is told as such.
    var endpoints: [RegistryAPI.Endpoint] = []
    /// The ids of those that are pinned, while the vault is open.
    var pinned: Set<String> = []
    /// Of the administrator, where servers are laid down.
    var administratorsFiles: [String] = []
    var vault: CredentialsAPI.Vault?
    /// The directories of the daemon, and the files in them.
    var files: [FileFacts] = []
    var user: UInt32
    var logins = Logins()
    /// How one server is reached; nil where none is asked for.
    var way: Way?
    /// A login was asked about, and the vault that may have it is closed: nobody can tell the way.
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
        /// It runs and answers nothing.
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
        /// Of its process; nil where we may not look.
        var program: String?
    }

    /// The socket of the daemon, and what stands around it.
    struct DaemonPlace {
        var path: String
        /// The socket that would be used without the variable `RELATIVITYD_SOCKET`, where that names another one; and
        /// whether somebody listens there.
        var usual: (path: String, listens: Bool)?
        /// The process that listens, where it is stopped by a signal.
        var stopped: Int32?
        /// A daemon has claimed the directory of the socket.
        var isClaimed = false
        /// The socket itself; nil where there is none.
        var file: FileFacts?
        /// Why the daemon would not start; nil where it would, or where it runs.
        var refusal: Refusal?
    }

    /// What `relativityd --check` says.
    struct Refusal: Equatable {
        var reason: String
        /// The configuration file that it is about.
        var file: String?
        /// Another than root may not change the file.
        var isOfMachine = false
    }

    /// The stored logins, as far as they can be told.
    struct Logins {
        var names: [String] = []
        /// Why some may be missing.
        var missing: String?
        /// Which one counts where none is named.
        var standing: ChosenLogin?
    }
}

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

extension DoctorFacts.Interface {
    /// All of this machine, by name.
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
    /// In the kernel's tables.
    private static let port = ":14E9"

    /// Whose sockets are bound to UDP port 5353.
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

    /// The names of the programs that hold sockets, as far as we may see them.
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
