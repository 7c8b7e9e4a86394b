// SPDX-License-Identifier: Apache-2.0

internal import CAvahi
internal import Endpoints

/// A resolver of Avahi for the addresses of a host name in one family, on all interfaces.
final class HostNameResolver {
    private let connection: AvahiConnection
    private let callback: Callback<IPAddress?>
    private let resolver: OpaquePointer

    /// Blocks for one D-Bus call. The object must be kept until `free`, because Avahi has a pointer to its callback.
    ///
    /// - Parameter report: called by Avahi on the loop's thread: an address, or nil after five seconds without one.
    init(
        _ name: String,
        _ family: AddressFamily,
        on connection: AvahiConnection,
        report: @escaping @Sendable (IPAddress?) -> Void
    ) throws(DiscoveryError) {
        self.connection = connection
        callback = Callback(report)
        let resolver = avahi_host_name_resolver_new(
            connection.client,
            AvahiIfIndex(AVAHI_IF_UNSPEC),
            AvahiProtocol(AVAHI_PROTO_UNSPEC),
            name,
            family.avahi,
            AvahiLookupFlags(0),
            { _, interface, _, event, _, address, _, userdata in
                let address = event == AVAHI_RESOLVER_FOUND ? address : nil
                Callback.deliver(address.flatMap { IPAddress($0.pointee, interface: interface) }, to: userdata)
            },
            callback.userdata
        )
        guard let resolver else { throw connection.lastError }
        self.resolver = resolver
        connection.resolverMade()
    }

    /// Must not be called after the connection was freed.
    func free() {
        avahi_host_name_resolver_free(resolver)
        connection.resolverFreed()
    }
}

/// The answers so far to a query for a host's addresses, which is sent once for each family.
struct HostNameAnswers: Sendable, Hashable {
    /// The time to wait for the second family after the first was answered. A host without addresses of a family may
    /// give no answer for it.
    static let grace = Duration.milliseconds(200)

    /// The next step after an answer.
    enum Next: Sendable {
        case wait
        /// Wait no longer than `grace` from now.
        case waitBriefly
        case finish
    }

    private var answers: [AddressFamily: IPAddress?] = [:]

    /// Records an answer, and returns the next step.
    ///
    /// - Parameter address: nil if Avahi has timed out.
    mutating func answered(_ family: AddressFamily, _ address: IPAddress?) -> Next {
        let isFirst = addresses.isEmpty
        answers.updateValue(address, forKey: family)
        if answers.count == 2 { return .finish }
        return isFirst && !addresses.isEmpty ? .waitBriefly : .wait
    }

    /// The addresses so far, IPv4 first.
    var addresses: [IPAddress] { [.inet, .inet6].compactMap { answers[$0] ?? nil } }
}

/// The queries for hosts' addresses that are not completely answered yet.
struct HostNameQueries<Resolver, Reply> {
    private static var limit: Int { 16 }

    struct Query {
        var resolvers: [Resolver] = []
        var answers = HostNameAnswers()
        let reply: Reply
    }

    private var queries: [Int: Query] = [:]
    private var lastNumber = 0

    var hasCapacity: Bool { queries.count < Self.limit }

    /// Begins a query, and returns its number.
    mutating func begin(_ reply: Reply) -> Int {
        lastNumber += 1
        queries[lastNumber] = Query(reply: reply)
        return lastNumber
    }

    mutating func add(_ resolver: Resolver, to number: Int) { queries[number]?.resolvers.append(resolver) }

    /// Records an answer, and returns the next step of the query.
    mutating func answered(
        _ number: Int,
        _ family: AddressFamily,
        _ address: IPAddress?
    ) -> HostNameAnswers.Next {
        queries[number]?.answers.answered(family, address) ?? .wait
    }

    /// Removes a query, and returns it. The caller frees its resolvers. Returns nil if it has ended already.
    mutating func end(_ number: Int) -> Query? { queries.removeValue(forKey: number) }

    /// Removes all queries, and returns their replies. The resolvers were freed with their connection.
    mutating func endAll() -> [Reply] {
        defer { queries = [:] }
        return queries.values.map(\.reply)
    }
}
