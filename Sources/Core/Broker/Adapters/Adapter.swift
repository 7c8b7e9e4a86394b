// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import Glibc
import Logging
import NIOCore
import Registry

/// An address at which a tool reaches an endpoint, with the endpoint's services and the login's domain and schema. A
/// permanent adapter has a session only while it is used; any other has one as long as it is open.
package struct Adapter: Sendable, Hashable {
    /// Unique among the open adapters.
    package let id: String
    /// Speaks HTTP; a tool sends each BinMessage as a POST.
    package let address: AdapterAddress
    /// The login's name; nil for an anonymous adapter.
    package let login: String?
    /// What chose the login when the adapter was opened; nil for an anonymous adapter and one of the configuration.
    package var chooser: LoginChooser?
    /// The endpoint that calls are sent to; nil for a permanent adapter that is not used yet.
    package internal(set) var target: AdapterTarget?
    /// When the adapter is closed.
    package let lifetime: AdapterLifetime
    /// Whether no other adapter shares its session. Only then are polls for events permitted.
    package let hasOwnSession: Bool
    /// Whether the session is at an alternate address that the user has not agreed to have the endpoint's database.
    package var isOtherDatabase = false
    /// The process that opened the adapter; nil for a permanent one.
    package let peer: CallingProcess?
    /// Seconds since 1970.
    package let created: Int64
}

extension Adapter {
    /// An adapter that the caller opens now.
    init(id: String, _ address: AdapterAddress, _ lease: SessionLease, _ use: ChosenUse, _ lifetime: AdapterLifetime) {
        self.init(
            id: id,
            address: address,
            login: use.login?.name,
            chooser: use.chooser,
            target: lease.target,
            lifetime: lifetime,
            hasOwnSession: lease.key.isOwn,
            peer: AuditPeer.caller,
            created: Int64(time(nil))
        )
        isOtherDatabase = lease.session.hasOtherDatabaseNow
    }

    /// An adapter of the configuration, which has no session yet.
    init(_ configured: ConfiguredAdapter, _ address: AdapterAddress) {
        self.init(
            id: configured.name,
            address: address,
            login: configured.login,
            target: nil,
            lifetime: .permanent,
            hasOwnSession: false,
            peer: nil,
            created: Int64(time(nil))
        )
    }
}

/// The endpoint and the database that an adapter's calls are sent to.
package struct AdapterTarget: Sendable, Hashable {
    /// The endpoint's ID.
    package let endpoint: EndpointID
    /// Untrusted text.
    package let endpointName: String
    /// Nil if the login has no domain, and without a login.
    package let domain: String?
    /// Nil if the login has no schema, and without a login.
    package let schema: String?
    /// The endpoint's service names.
    package let services: ServiceNames

    init(_ endpoint: Endpoint, _ login: Login?) {
        self.endpoint = endpoint.id
        endpointName = endpoint.name
        domain = login.flatMap { $0.account.domain.isEmpty ? nil : $0.account.domain }
        schema = login.flatMap { $0.account.schema.isEmpty ? nil : $0.account.schema }
        services = endpoint.services
    }
}

/// When an adapter is closed.
package enum AdapterLifetime: Sendable, Hashable {
    /// When the caller that opened it disconnects.
    case held
    /// After `AdapterLimits.idle` without a request, and after this time at the latest.
    case atMost(Duration)
    /// When the daemon exits. The adapter releases its session while it is unused or the vault is locked, and logs in
    /// again with the next call.
    case permanent
    /// As `permanent`, but at most this long.
    case granted(Duration)

    /// Whether the adapter stays open without a session.
    var isPermanent: Bool {
        switch self {
        case .permanent, .granted: true
        case .held, .atMost: false
        }
    }

    /// The same lifetime, with a time between zero and `longest`.
    func bounded(by longest: Duration) -> AdapterLifetime {
        guard case .atMost(let time) = self else { return self }
        return .atMost(min(max(time, .zero), longest))
    }
}

/// Limits of adapters.
package struct AdapterLimits: Sendable {
    /// Number of open adapters.
    package var adapters = 64
    /// Idle timeout of an adapter that is not held.
    package var idle = Duration.seconds(900)
    /// Maximum lifetime of an adapter that is not held.
    package var longest = Duration.seconds(12 * 3_600)
    /// Number of connections to one adapter's socket.
    package var connections = 32
    /// Bytes of one request. A request stays in memory, so that it can be sent again if the session was lost.
    package var requestBytes = 16 << 20
    /// Number of large or compressed requests that are parsed at the same time. Each may take some 64 MiB, which are
    /// not counted.
    package var parsers = 2
    /// Bytes of all adapters together: requests that are not answered yet, as received and inflated, and replies that
    /// tools have not read yet.
    package var totalRequestBytes = 256 << 20
    /// A connection that sends no complete request for this long is closed.
    package var silence = Duration.seconds(60)

    /// The default limits.
    package init() {}
}

/// The kind of adapter that a caller requests.
package struct AdapterRequest: Sendable, Hashable {
    /// The endpoint and the login.
    package let use: NamedUse
    /// The kind of address.
    package var form = AdapterForm.socket
    /// Whether to use a separate session, which may poll for events.
    package var hasOwnSession = false
    /// When the adapter is closed.
    package var lifetime = AdapterLifetime.held
    /// The use that the user has just approved; nil if the user was not asked.
    package var agreed: ShownUse?

    /// A shared session on a Unix socket, open while the caller is connected.
    package init(_ use: NamedUse) {
        self.use = use
    }
}

/// An event for watchers of adapters.
package enum AdapterEvent: Sendable, Hashable {
    case opened(Adapter)
    case ended(Adapter, AdapterCloseReason)
}

/// The rules by which an adapter answers, forwards or refuses the messages of its tools.
struct AdapterRules: Sendable, Hashable {
    private static let user = geteuid()

    /// The endpoint's login service, in addition to the usual names.
    let loginService: String
    /// Nil for an adapter without a login.
    let login: Account?
    /// Whether the adapter's login is stored in the vault.
    var needsVault = false
    var route = AccessRoute.adapter(sharesSession: true)
    var constraints = AccessConstraints()
    var isOtherDatabase = false

    /// - Throws: `BrokerError.refused`, or `CredentialError.locked`.
    func check(_ action: AccessAction, vault: VaultState) throws {
        var access = Access(
            peer: nil,
            user: Self.user,
            route: route,
            action: action,
            vault: vault,
            needsVault: needsVault,
            constraints: constraints
        )
        access.isOtherDatabase = isOtherDatabase
        switch access.refusal {
        case nil: break
        case .vaultNotOpen: throw CredentialError.locked
        case let refusal?: throw BrokerError.refused(refusal)
        }
    }
}

/// The time when an adapter was last used. Stored separately because each call updates it, and the adapter's other
/// state is large to move. On the event loop only.
final class AdapterUse: Sendable {
    private struct State {
        var last: ContinuousClock.Instant
        /// Calls in progress. While there is one, the adapter is in use.
        var calls = 0
    }

    private let state: NIOLoopBoundBox<State>

    init(since time: ContinuousClock.Instant, loop: any EventLoop) {
        state = .makeBoxSendingValue(State(last: time), eventLoop: loop)
    }

    var time: ContinuousClock.Instant { state.value.calls > 0 ? .now : state.value.last }

    func beginCall() {
        state.value.calls += 1
    }

    func endCall() {
        state.value.calls -= 1
        state.value.last = .now
    }
}

/// An open adapter with the resources that are released with it.
struct OpenAdapter {
    var adapter: Adapter
    let listener: AdapterListener
    /// The grant that the address belongs to; nil for an adapter that `adapter list` shows.
    let grant: Grant?
    /// Nil for a permanent adapter while it is unused.
    var lease: SessionLease?
    /// On a clock that counts while the machine sleeps.
    let opened: ContinuousClock.Instant
    let use: AdapterUse
    var timer: Scheduled<Void>?
    /// Completed when the adapter is closed: the call that holds it waits for that.
    var waiters: [EventLoopPromise<AdapterCloseReason>] = []

    init(_ adapter: Adapter, listener: AdapterListener, lease: SessionLease?, grant: Grant? = nil, loop: any EventLoop)
    {
        self.adapter = adapter
        self.listener = listener
        self.lease = lease
        self.grant = grant
        opened = .now
        use = AdapterUse(since: opened, loop: loop)
    }

    /// The time at which the adapter is closed, or a permanent one releases its session, unless it is used before;
    /// nil for never.
    func deadline(idle: Duration) -> ContinuousClock.Instant? {
        switch adapter.lifetime {
        case .held: nil
        case .atMost(let longest): min(use.time + idle, opened + longest)
        case .permanent: lease == nil ? nil : use.time + idle
        case .granted(let time):
            lease == nil ? opened + time : min(use.time + idle, opened + time)
        }
    }

    /// The step that a timer takes at some time; nil if the adapter has no deadline.
    enum TimerStep: Hashable {
        /// The deadline has moved: set the timer again.
        case wait
        case releaseSession
        case close
    }

    func timerStep(idle: Duration, at now: ContinuousClock.Instant) -> TimerStep? {
        guard let deadline = deadline(idle: idle) else { return nil }
        guard now >= deadline else { return .wait }
        return adapter.lifetime.isPermanent && !isOver(at: now) ? .releaseSession : .close
    }

    /// Whether the longest time of the adapter or of its grant is over. Its timer is late if the machine slept.
    func isOver(at now: ContinuousClock.Instant) -> Bool {
        switch adapter.lifetime {
        case .atMost(let time), .granted(let time): now >= opened + time
        case .held, .permanent: false
        }
    }

    /// The log message for the opening.
    var openingMessage: Logger.Message { grant != nil ? "grant made" : "adapter opened" }

    var logMetadata: Logger.Metadata {
        var metadata: Logger.Metadata = [grant == nil ? "adapter" : "grant": "\(adapter.id)"]
        metadata["endpoint"] = (grant?.endpointName ?? adapter.target?.endpointName).map { "\(Printable($0))" }
        return metadata
    }

    /// Stops listening and notifies the waiting calls.
    func end(_ reason: AdapterCloseReason) {
        timer?.cancel()
        listener.close()
        grant?.removeDirectory()
        for waiter in waiters { waiter.succeed(reason) }
    }
}

/// An adapter's lease on a session: the session, the keys that it is shared under, its target, and the rules for
/// calls.
struct SessionLease {
    let key: SharedSessions<ServerSession>.Key
    /// The key under which sessions of the login are shared, even if this session is not.
    let sharedKey: SharedSessions<ServerSession>.Key
    let session: ServerSession
    let target: AdapterTarget
    let rules: AdapterRules

    init(
        at endpoint: Endpoint,
        login: Login?,
        key: SharedSessions<ServerSession>.Key,
        sharedKey: SharedSessions<ServerSession>.Key,
        session: ServerSession
    ) {
        self.key = key
        self.sharedKey = sharedKey
        self.session = session
        target = AdapterTarget(endpoint, login)
        rules = AdapterRules(
            loginService: endpoint.services.login,
            login: login?.account,
            needsVault: key.needsVault,
            route: .adapter(sharesSession: !key.isOwn)
        )
    }
}
