// SPDX-License-Identifier: Apache-2.0

internal import CAvahi
internal import Endpoints

/// A browser of Avahi on all interfaces and both protocols.
final class TypeBrowser {
    private let browser: OpaquePointer
    /// Avahi has a pointer to it.
    private let callback: AnyObject
    private let release: (OpaquePointer?) -> Int32

    enum Report<Item: Sendable>: Sendable {
        case appeared(Item)
        case disappeared(Item)
        case allForNow
        case failed(DiscoveryError)

        /// - Returns: nil for an event without a meaning here, or an item that cannot be read.
        fileprivate init?(_ event: AvahiBrowserEvent, client: OpaquePointer?, item: Item?) {
            switch event {
            case AVAHI_BROWSER_ALL_FOR_NOW: self = .allForNow
            case AVAHI_BROWSER_FAILURE:
                self = .failed(.avahi(code: client.map { avahi_client_errno($0) } ?? DiscoveryError.disconnected))
            case AVAHI_BROWSER_NEW, AVAHI_BROWSER_REMOVE:
                guard let item else { return nil }
                self = event == AVAHI_BROWSER_NEW ? .appeared(item) : .disappeared(item)
            default: return nil
            }
        }
    }

    /// Browses for the instances of one service type. Blocks for one D-Bus call.
    ///
    /// - Parameter report: called by Avahi on the loop's thread.
    init(
        _ type: String,
        on connection: AvahiConnection,
        report: @escaping @Sendable (Report<Sighting.Key>) -> Void
    ) throws(DiscoveryError) {
        let callback = Callback(report)
        let browser = avahi_service_browser_new(
            connection.client,
            AvahiIfIndex(AVAHI_IF_UNSPEC),
            AvahiProtocol(AVAHI_PROTO_UNSPEC),
            type,
            nil,
            AvahiLookupFlags(0),
            { browser, interface, family, event, name, type, domain, _, userdata in
                let client = browser.flatMap { avahi_service_browser_get_client($0) }
                let key = Sighting.Key(interface, family, name, type, domain)
                guard let report = Report(event, client: client, item: key) else { return }
                Callback.deliver(report, to: userdata)
            },
            callback.userdata
        )
        guard let browser else { throw connection.lastError }
        self.browser = browser
        self.callback = callback
        release = avahi_service_browser_free
    }

    /// Browses for the service types that are announced (`_services._dns-sd._udp`). Blocks for one D-Bus call.
    ///
    /// - Parameter report: called by Avahi on the loop's thread.
    init(
        ofTypesOn connection: AvahiConnection,
        report: @escaping @Sendable (Report<(type: String, link: Link)>) -> Void
    ) throws(DiscoveryError) {
        let callback = Callback(report)
        let browser = avahi_service_type_browser_new(
            connection.client,
            AvahiIfIndex(AVAHI_IF_UNSPEC),
            AvahiProtocol(AVAHI_PROTO_UNSPEC),
            nil,
            AvahiLookupFlags(0),
            { browser, interface, family, event, type, _, _, userdata in
                let client = browser.flatMap { avahi_service_type_browser_get_client($0) }
                let link = AddressFamily(avahi: family).map { Link(interface: interface, family: $0) }
                let found = type.flatMap { type in link.map { (type: String(cString: type), link: $0) } }
                guard let report = Report(event, client: client, item: found) else { return }
                Callback.deliver(report, to: userdata)
            },
            callback.userdata
        )
        guard let browser else { throw connection.lastError }
        self.browser = browser
        self.callback = callback
        release = avahi_service_type_browser_free
    }

    /// Must not be called after the connection was freed.
    func free() { _ = release(browser) }
}

extension Sighting.Key {
    fileprivate init?(
        _ interface: AvahiIfIndex,
        _ family: AvahiProtocol,
        _ name: UnsafePointer<CChar>?,
        _ type: UnsafePointer<CChar>?,
        _ domain: UnsafePointer<CChar>?
    ) {
        guard let name, let type, let domain, let family = AddressFamily(avahi: family) else { return nil }
        let instance = ServiceInstance(
            name: String(cString: name),
            type: String(cString: type),
            domain: String(cString: domain)
        )
        self.init(instance: instance, interface: interface, family: family)
    }
}

extension AddressFamily {
    init?(avahi family: AvahiProtocol) {
        switch Int(family) {
        case AVAHI_PROTO_INET: self = .inet
        case AVAHI_PROTO_INET6: self = .inet6
        default: return nil
        }
    }

    var avahi: AvahiProtocol {
        switch self {
        case .inet: AvahiProtocol(AVAHI_PROTO_INET)
        case .inet6: AvahiProtocol(AVAHI_PROTO_INET6)
        }
    }
}
