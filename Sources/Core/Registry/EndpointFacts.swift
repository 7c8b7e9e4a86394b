// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// The facts that make one endpoint exist, and everything that is known about it. A flood creates thousands of
/// endpoints that have only sightings, so the other facts are stored out of line.
struct EndpointFacts: Sendable {
    /// Enough for a host that changes its name or address while some of its sightings still have the old one.
    private static let formerLocators = 8

    let id: EndpointID
    /// The position in the order in which endpoints came into the list. A lower number is older.
    let number: UInt64
    /// The host that the endpoint was discovered at. The endpoint counts toward this host's share of the quota.
    let discoveredAt: HostName?
    @Boxed var entry: ManualEntry?
    @Boxed var memory: RememberedServer?
    /// Whether `memory` is from before the daemon started, and its source has not reported yet whether the server is
    /// there.
    var isAwaited = false
    /// The results of attempts to reach the server.
    @Boxed var reachability: Reachability?
    /// The sightings, in the order in which their keys first came.
    private(set) var seen: [TrackedSighting] = []
    private var former: [HostOrAddress] = []

    init(id: EndpointID, number: UInt64, discoveredAt: HostName? = nil) {
        self.id = id
        self.number = number
        self.discoveredAt = discoveredAt
    }

    /// Whether the endpoint stays in the list when it is not announced, and is never evicted.
    var isKept: Bool { entry != nil || memory != nil }

    /// The distinct instance names. They are few, so a set would cost more than it saves.
    var names: [InstanceName] { Self.distinct(seen.lazy.map(\.name), memory?.name) }

    /// The addresses and ports where the server is sighted, or was last sighted.
    var addressPlaces: [HostAndPort] {
        seen.isEmpty ? Self.distinct(memory?.addressPlaces ?? []) : Self.distinct(seen.lazy.map(\.addressPlace))
    }

    var sources: [SourceName] { Self.distinct(seen.lazy.map(\.sighting.key.source), memory?.source) }

    static func distinct<Element: Equatable>(
        _ elements: some Sequence<Element>,
        _ last: Element? = nil
    ) -> [Element] {
        var distinct: [Element] = []
        for element in elements where !distinct.contains(element) { distinct.append(element) }
        if let last, !distinct.contains(last) { distinct.append(last) }
        return distinct
    }

    /// Whether this server was sighted or used at the host name or the address of `other`.
    func knows(_ other: TrackedSighting) -> Bool {
        let locators = other.locators
        return seen.contains { $0.locators.contains(where: locators.contains) }
            || former.contains(where: locators.contains)
            || memory?.locators.contains(where: locators.contains) == true
            || memory?.usedLocators.contains(where: locators.contains) == true
    }

    /// Whether the port of a sighting is no reason against it: an entry keeps its port.
    func mayHold(_ other: TrackedSighting) -> Bool {
        guard let port = entry?.url.port, port != other.sighting.port else { return true }
        return seen.contains { $0.sighting.port == port && $0.sighting.key != other.sighting.key }
    }

    /// Whether an entry is announced, but not on its port.
    var isAnnouncedElsewhere: Bool {
        guard let port = entry?.url.port else { return false }
        return !seen.isEmpty && !seen.contains { $0.sighting.port == port }
    }

    /// Whether another endpoint was last sighted at a host or an address of this one.
    func isAtHost(of other: EndpointFacts) -> Bool {
        let own = lastLocators
        return other.lastLocators.contains(where: own.contains)
    }

    private var lastLocators: [HostOrAddress] { seen.flatMap(\.locators) + (memory?.locators ?? []) }

    func holds(_ key: Sighting.Key) -> Bool { seen.contains { $0.sighting.key == key } }

    mutating func put(_ new: TrackedSighting) {
        if let index = seen.firstIndex(where: { $0.sighting.key == new.sighting.key }) {
            let old = seen[index]
            seen[index] = new
            if !old.isSamePlace(as: new) { reachability = nil }
            rememberFormer(old.locators)
        } else {
            seen.append(new)
        }
        refreshMemory()
    }

    mutating func take(_ key: Sighting.Key) {
        guard let index = seen.firstIndex(where: { $0.sighting.key == key }) else { return }
        rememberFormer(seen.remove(at: index).locators)
        if seen.isEmpty, entry == nil { reachability = nil }
        refreshMemory()
    }

    mutating func markStale(where isLost: (Sighting.Key) -> Bool) {
        for index in seen.indices where isLost(seen[index].sighting.key) { seen[index].isStale = true }
    }

    /// Records that the server is used where it is sighted now.
    mutating func remember() {
        guard let instance = memory?.instance ?? latest?.sighting.key.instance, let new = lastSight(as: instance)
        else { return }
        let old = memory
        memory = new
        rememberFormer((old?.locators ?? []) + (old?.usedLocators ?? []))
    }

    private mutating func refreshMemory() {
        guard let old = memory, !isAnnouncedElsewhere, var new = lastSight(as: old.instance) else { return }
        // Keep the host and addresses of the last use: an announcement, which any host can send, must not change them.
        new.usedHost = old.usedHost
        new.usedAddresses = old.usedAddresses
        memory = new
        rememberFormer(old.locators)
    }

    private func lastSight(as instance: ServiceInstance) -> RememberedServer? {
        guard let sighting = latest?.sighting else { return nil }
        return RememberedServer(
            instance: instance,
            source: sighting.key.source,
            interfaceName: sighting.interfaceName,
            host: sighting.host,
            port: sighting.port,
            scheme: sighting.scheme,
            path: sighting.path,
            addresses: addresses
        )
    }

    /// Keeps locators that no sighting has any longer, at most `formerLocators` of them.
    private mutating func rememberFormer(_ locators: [HostOrAddress]) {
        for locator in locators
        where !former.contains(locator) && !seen.contains(where: { $0.locators.contains(locator) }) {
            former.append(locator)
        }
        if former.count > Self.formerLocators { former.removeFirst(former.count - Self.formerLocators) }
    }
}

/// The endpoint as other modules see it.
extension EndpointFacts {
    /// The service type of an admin service. Its port is not the port of the data service.
    private static let adminType = "_relativity_adminservice_rosdk._tcp"

    /// - Parameters:
    ///   - types: the usual settings of service types. Those of the entry and of the endpoint override them.
    ///   - isContested: whether another endpoint has the same instance name.
    /// - Returns: nil if there is no entry, no sighting and no earlier use.
    func endpoint(
        _ settings: EndpointSettings,
        types: ServiceTypeSettings = ServiceTypeSettings(),
        isContested: Bool
    ) -> Endpoint? {
        let latest = latest
        let instance = memory?.instance ?? latest?.sighting.key.instance
        let settings = types[instance?.type].merged(with: entry?.usual ?? EndpointSettings()).merged(with: settings)
        guard let url = entry?.url ?? latest?.url ?? memory?.url else { return nil }
        let (state, reason) = state(isContested: isContested)
        let met = state == reachability?.contact.state ? reachability : nil
        let shown = settings.applied(to: url)
        let announced = entry == nil ? nil : latest?.url
        let isOther = announced.map { $0.scheme != shown.scheme || $0.path != shown.path } ?? false
        return Endpoint(
            id: id,
            name: name(latest),
            origin: entry?.origin ?? .discovered,
            state: state,
            stateReason: reason,
            stateSince: met?.since,
            stateHeard: met.flatMap { $0.isFromBefore ? $0.heard : nil },
            url: shown,
            announcedURL: isOther ? announced : nil,
            addresses: seen.isEmpty ? memory?.addresses ?? [] : addresses(latest),
            services: settings.services,
            instance: instance,
            interfaces: Self.distinct(seen.lazy.map(\.sighting.interfaceName).filter { !$0.isEmpty }).sorted(),
            sources: Self.distinct(seen.lazy.map(\.sighting.key.source)).sorted(),
            txt: latest?.sighting.txt ?? [],
            isProbed: settings.probe != .off,
            isHidden: settings.isHidden ?? false,
            constraints: settings.constraints,
            loginDomain: settings.loginDomain,
            loginSchema: settings.loginSchema,
            codePage: settings.codePage,
            defaultLogin: settings.defaultLogin
        )
    }

    var name: String { name(latest) }

    private func name(_ latest: TrackedSighting?) -> String {
        entry?.name ?? memory?.instance.name ?? latest?.sighting.key.instance.name ?? id.text
    }

    /// The sighting that decides where the server is. One on the port of the entry is preferred, then a configured source to
    /// multicast, then a sighting that is not stale, then one under the server's own name, then a data service to an admin service, then the
    /// newest.
    var latest: TrackedSighting? {
        guard seen.count > 1 else { return seen.first }
        let own = memory?.name ?? seen.first?.name
        let port = entry?.url.port
        return seen.max { Self.rank($0, own: own, port) < Self.rank($1, own: own, port) }
    }

    private static func rank(
        _ seen: TrackedSighting,
        own: InstanceName?,
        _ port: UInt16?
    ) -> (Int, Int, Int, Int, UInt64) {
        let isAdmin = ASCII.areEqual(seen.sighting.key.instance.type, adminType)
        let (isChosen, isFresh, isOwn) = (seen.isOfChosenSource, !seen.isStale, seen.name == own)
        let isAtPort = port == nil || seen.sighting.port == port
        return ((isAtPort ? 2 : 0) + (isChosen ? 1 : 0), isFresh ? 1 : 0, isOwn ? 1 : 0, isAdmin ? 0 : 1, seen.order)
    }

    /// The addresses from the source of `latest`, IPv4 first.
    var addresses: [IPAddress] { addresses(latest) }

    private func addresses(_ latest: TrackedSighting?) -> [IPAddress] {
        let source = latest?.sighting.key.source
        let telling = seen.lazy.map(\.sighting).filter { $0.key.source == source }
        return Self.distinct(telling.map(\.address)).sorted { one, other in
            let (length, otherLength) = (one.bytes.count, other.bytes.count)
            return length == otherLength ? one.description < other.description : length < otherLength
        }
    }

    private func state(isContested: Bool) -> (EndpointState, reason: StateReason?) {
        let contact = reachability?.contact
        if let contact, contact.state == .conflict { return (.conflict, contact.reason) }
        if isContested { return (.conflict, StateReason(code: .nameTaken)) }
        if let contact { return (contact.state, contact.reason) }
        if !seen.isEmpty { return (seen.allSatisfy(\.isStale) ? .stale : .announced, nil) }
        if entry != nil { return (.unknown, nil) }
        return isAwaited ? (.stale, nil) : (.unreachable, StateReason(code: .vanished))
    }
}

extension TrackedSighting {
    fileprivate var url: ServerURL {
        ServerURL(
            scheme: sighting.scheme,
            host: ServerHost(announced: host.text, at: sighting.address, interface: sighting.interfaceName),
            port: sighting.port,
            path: sighting.path
        )
    }
}

/// A sighting that the registry keeps.
struct TrackedSighting: Sendable {
    let sighting: Sighting
    let name: InstanceName
    let host: HostName
    /// The position in the order in which facts were reported. A lower number is older.
    let order: UInt64
    /// Whether the sighting is from before its source went down, or the source can no longer check it.
    var isStale = false

    init(_ sighting: Sighting, order: UInt64) {
        self.sighting = sighting
        name = InstanceName(sighting.key.instance)
        host = HostName(sighting.host)
        self.order = order
    }

    /// The host name and the address. An empty host name is left out, because it identifies no host.
    var locators: [HostOrAddress] {
        let address = HostOrAddress.address(sighting.address.bytes)
        return host.text.isEmpty ? [address] : [.host(host), address]
    }

    var places: [HostAndPort] { locators.map { HostAndPort(locator: $0, port: sighting.port) } }

    var addressPlace: HostAndPort { HostAndPort(locator: .address(sighting.address.bytes), port: sighting.port) }

    /// Whether the sighting is from a configured source. By multicast, any host on the link can announce.
    var isOfChosenSource: Bool { sighting.key.source != .avahi }

    /// Whether a connection would go to the same host, address and port.
    func isSamePlace(as other: TrackedSighting) -> Bool {
        host == other.host && sighting.port == other.sighting.port && sighting.address == other.sighting.address
    }

    /// The approximate memory of the sighting in bytes, with its share of its endpoint.
    var cost: Int { Self.cost(of: sighting) }

    /// See `cost`.
    static func cost(of sighting: Sighting) -> Int {
        let strings = sighting.txt.reduce(0) { $0 + 48 + $1.count }
        return 1_024 + 3 * sighting.key.instance.nameBytes.count + 3 * sighting.host.utf8.count + strings
    }
}

/// The name that the announcements of one server have in common, whatever their service type, interface and source.
/// Consists of instance name and domain, compared like DNS names (RFC 6762, section 16): as bytes, except that the case
/// of ASCII letters is ignored.
struct InstanceName: Hashable, Sendable {
    private let instance: ServiceInstance

    init(_ instance: ServiceInstance) {
        self.instance = instance
    }

    static func == (one: Self, other: Self) -> Bool {
        one.instance == other.instance
            || ASCII.areEqual(one.instance.nameBytes, other.instance.nameBytes)
                && ASCII.areEqual(one.instance.domain, other.instance.domain)
    }

    /// Hashes the name only, because nearly all instances have the same domain.
    func hash(into hasher: inout Hasher) {
        let name = instance.nameBytes
        withUnsafeTemporaryAllocation(byteCount: name.count, alignment: 1) { lowered in
            for index in name.indices { lowered[index] = ASCII.lowered(name[index]) }
            hasher.combine(bytes: UnsafeRawBufferPointer(lowered))
        }
    }
}

/// An optional value stored out of line: nil takes one word, whatever the size of `Value`.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var storage: Storage?

    init(wrappedValue: Value?) {
        storage = wrappedValue.map(Storage.init)
    }

    var wrappedValue: Value? {
        get { storage?.value }
        set { storage = newValue.map(Storage.init) }
    }
}
