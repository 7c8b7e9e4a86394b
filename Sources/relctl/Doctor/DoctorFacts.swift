// SPDX-License-Identifier: Apache-2.0

import LocalAPI

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
