// SPDX-License-Identifier: Apache-2.0

import Endpoints

@testable import Registry

/// One server of the model, with all its facts as plain text.
struct ModelServer {
    struct Live {
        let sighting: Sighting
        let order: Int
        var isStale: Bool
        let name: String
        let host: String
        let locators: [String]
        let places: [String]
        /// The element of `places` that is an address.
        let addressPlace: String

        init(sighting: Sighting, order: Int) {
            self.sighting = sighting
            self.order = order
            isStale = false
            name = ModelServer.name(of: sighting.key.instance)
            host = ModelServer.plain(sighting.host)
            locators = [host, ModelServer.text(sighting.address)]
            places = locators.map { "\($0) \(sighting.port)" }
            addressPlace = places[1]
        }

        var key: Sighting.Key { sighting.key }
    }

    let id: EndpointID
    let number: Int
    let discoveredAt: String?
    var entry: ManualEntry?
    var memory: RememberedServer?
    var isAwaited = false
    var reachability: Reachability?
    /// The live sightings, in the order in which their keys appeared.
    var live: [Live] = []
    /// Every host and address of its sightings so far.
    var known: Set<String> = []

    init(id: EndpointID, number: Int, discoveredAt: String?) {
        self.id = id
        self.number = number
        self.discoveredAt = discoveredAt
    }

    var isKept: Bool { entry != nil || memory != nil }
    var names: Set<String> { Set(live.map(\.name) + (memory.map { [Self.name(of: $0.instance)] } ?? [])) }
    var sources: Set<SourceName> { Set(live.map(\.key.source) + (memory.map { [$0.source] } ?? [])) }
    var addressPlaces: Set<String> {
        guard live.isEmpty else { return Set(live.map(\.addressPlace)) }
        return Set(memory.map { memory in memory.addresses.map { "\(Self.text($0)) \(memory.port)" } } ?? [])
    }

    /// The hosts and addresses of its last sightings.
    var lastLocators: Set<String> {
        let known = memory.map { [Self.plain($0.host)] + $0.addresses.map(Self.text) } ?? []
        return Set(live.flatMap(\.locators) + known)
    }

    var isAnnouncedElsewhere: Bool {
        guard let port = entry?.url.port else { return false }
        return !live.isEmpty && live.allSatisfy { $0.sighting.port != port }
    }

    /// An entry has its port only, unless a sighting of another key is on that.
    func mayHold(_ new: Live) -> Bool {
        guard let port = entry?.url.port, new.sighting.port != port else { return true }
        return live.contains { $0.key != new.key && $0.sighting.port == port }
    }

    func holds(_ key: Sighting.Key) -> Bool { live.contains { $0.key == key } }

    func isNamed(_ live: Live) -> Bool { entry.map { Self.names($0, live) } ?? false }

    mutating func put(_ new: Live) {
        if let index = live.firstIndex(where: { $0.key == new.key }) {
            if live[index].places != new.places { reachability = nil }
            live[index] = new
        } else {
            live.append(new)
        }
        known.formUnion(new.locators)
        if memory != nil, !isAnnouncedElsewhere { memory = lastSight }
    }

    mutating func take(_ key: Sighting.Key) {
        live.removeAll { $0.key == key }
        if live.isEmpty, entry == nil { reachability = nil }
        if memory != nil, !live.isEmpty, !isAnnouncedElsewhere { memory = lastSight }
    }

    mutating func remember() {
        memory = lastSight
    }

    private var lastSight: RememberedServer? {
        latest.map { latest in
            RememberedServer(
                instance: memory?.instance ?? latest.key.instance,
                source: latest.key.source,
                interfaceName: latest.sighting.interfaceName,
                host: latest.sighting.host,
                port: latest.sighting.port,
                scheme: latest.sighting.scheme,
                path: latest.sighting.path,
                addresses: addresses
            )
        }
    }
}

extension ModelServer {
    /// The latest sighting, narrowed down step by step.
    private var latest: Live? {
        let own = memory.map { Self.name(of: $0.instance) } ?? live.first?.name
        var best = live
        let port = entry?.url.port
        for isBetter in [
            { port == nil || $0.sighting.port == port }, { $0.key.source != .avahi }, { !$0.isStale },
            { $0.name == own },
            { !$0.key.instance.type.hasPrefix("_Relativity_Admin") },
        ] as [(Live) -> Bool] {
            if best.contains(where: isBetter) { best = best.filter(isBetter) }
        }
        return best.max { $0.order < $1.order }
    }

    private var addresses: [IPAddress] {
        let telling = live.filter { $0.key.source == latest?.key.source }
        let sorted = Set(telling.map(\.sighting.address)).sorted { $0.description < $1.description }
        return sorted.filter { $0.family == .inet } + sorted.filter { $0.family == .inet6 }
    }

    func endpoint(_ own: EndpointSettings, isContested: Bool) -> Endpoint {
        let latest = latest?.sighting
        let announced = ServerURL(
            scheme: latest?.scheme ?? memory?.scheme ?? .http,
            host: .name(Self.plain(latest?.host ?? memory?.host ?? "")),
            port: latest?.port ?? memory?.port ?? 0,
            path: latest?.path ?? memory?.path ?? ""
        )
        var url = entry?.url ?? announced
        url.scheme = own.scheme ?? url.scheme
        url.path = own.path ?? url.path
        let isOther = entry != nil && latest != nil && (announced.scheme != url.scheme || announced.path != url.path)
        let (state, reason) = state(isContested)
        return Endpoint(
            id: id,
            name: entry?.name ?? memory?.instance.name ?? latest?.key.instance.name ?? "",
            origin: entry?.origin ?? .discovered,
            state: state,
            stateReason: reason,
            stateSince: reachability?.contact.state == state ? reachability?.since : nil,
            url: url,
            announcedURL: isOther ? announced : nil,
            addresses: live.isEmpty ? memory?.addresses ?? [] : addresses,
            services: ServiceNames(data: own.dataService ?? "DataService", login: own.loginService ?? "LoginService"),
            instance: memory?.instance ?? latest?.key.instance,
            interfaces: Set(live.map(\.sighting.interfaceName)).sorted(),
            sources: Set(live.map(\.key.source)).sorted(),
            txt: latest?.txt ?? [],
            isHidden: own.isHidden == true
        )
    }

    private func state(_ isContested: Bool) -> (EndpointState, StateReason?) {
        let contact = reachability?.contact
        if case .conflict(let reason) = contact { return (.conflict, reason) }
        if isContested { return (.conflict, StateReason(code: .nameTaken)) }
        if case .failed(let reason) = contact { return (.unreachable, reason) }
        if contact == .reached { return (.reachable, nil) }
        if live.contains(where: { !$0.isStale }) { return (.announced, nil) }
        if !live.isEmpty { return (.stale, nil) }
        if entry != nil { return (.unknown, nil) }
        return isAwaited ? (.stale, nil) : (.unreachable, StateReason(code: .vanished))
    }

    static func names(_ entry: ManualEntry, _ live: Live) -> Bool {
        guard entry.url.port == live.sighting.port else { return false }
        return switch entry.url.host {
        case .address(let address, _): address.bytes == live.sighting.address.bytes
        case .name(let name): name.contains(".") && name == live.host
        }
    }

    static func locators(_ memory: RememberedServer) -> [String] {
        [plain(memory.host), plain(memory.usedHost)] + (memory.addresses + memory.usedAddresses).map(text)
    }

    /// The name, ignoring the case of ASCII letters.
    fileprivate static func name(of instance: ServiceInstance) -> String {
        "\(instance.domain)/"
            + instance.name.unicodeScalars.map { scalar in
                scalar.isASCII ? scalar.properties.lowercaseMapping : "\\\(scalar.value)"
            }.joined()
    }

    fileprivate static func plain(_ host: String) -> String {
        let name = host.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    fileprivate static func text(_ address: IPAddress) -> String {
        address.bytes.map { "\($0)" }.joined(separator: ".")
    }
}
