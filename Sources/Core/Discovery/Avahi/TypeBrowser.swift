// SPDX-License-Identifier: Apache-2.0

internal import CAvahi
internal import Endpoints

/// A browser of Avahi on all interfaces and both protocols.
protocol AvahiObject {
    /// Must not be called after the connection was freed.
    func free()
}

/// A browser for the instances of one service type.
final class TypeBrowser: AvahiObject {
    let type: String
    private let browser: OpaquePointer
    private let callback: Callback<Report>

    enum Report: Sendable {
        case appeared(Sighting.Key)
        case disappeared(Sighting.Key)
        case allForNow
        case failed(DiscoveryError)
    }

    /// Blocks for one D-Bus call.
    ///
    /// - Parameter report: called by Avahi on the loop's thread.
    init(
        _ type: String,
        on connection: AvahiConnection,
        report: @escaping @Sendable (Report) -> Void
    ) throws(DiscoveryError) {
        self.type = type
        callback = Callback(report)
        let browser = avahi_service_browser_new(
            connection.client,
            AvahiIfIndex(AVAHI_IF_UNSPEC),
            AvahiProtocol(AVAHI_PROTO_UNSPEC),
            type,
            nil,
            AvahiLookupFlags(0),
            { browser, interface, family, event, name, type, domain, _, userdata in
                guard
                    let report = TypeBrowser.report(browser, interface, family, event, name, type, domain)
                else { return }
                Callback.deliver(report, to: userdata)
            },
            callback.userdata
        )
        guard let browser else { throw connection.lastError }
        self.browser = browser
    }

    func free() { avahi_service_browser_free(browser) }

    private static func report(
        _ browser: OpaquePointer?,
        _ interface: AvahiIfIndex,
        _ family: AvahiProtocol,
        _ event: AvahiBrowserEvent,
        _ name: UnsafePointer<CChar>?,
        _ type: UnsafePointer<CChar>?,
        _ domain: UnsafePointer<CChar>?
    ) -> Report? {
        switch event {
        case AVAHI_BROWSER_ALL_FOR_NOW:
            return .allForNow
        case AVAHI_BROWSER_FAILURE:
            let client = browser.flatMap { avahi_service_browser_get_client($0) }
            return .failed(.avahi(code: client.map { avahi_client_errno($0) } ?? DiscoveryError.disconnected))
        case AVAHI_BROWSER_NEW, AVAHI_BROWSER_REMOVE:
            guard let name, let type, let domain, let family = AddressFamily(avahi: family) else { return nil }
            let instance = ServiceInstance(
                name: String(cString: name),
                type: String(cString: type),
                domain: String(cString: domain)
            )
            let key = Sighting.Key(instance: instance, interface: interface, family: family)
            return event == AVAHI_BROWSER_NEW ? .appeared(key) : .disappeared(key)
        default:
            return nil
        }
    }
}

/// A browser for the service types that are announced (`_services._dns-sd._udp`).
final class AllTypesBrowser: AvahiObject {
    private let browser: OpaquePointer
    private let callback: Callback<Report>

    enum Report: Sendable {
        case appeared(type: String, Link)
        case disappeared(type: String, Link)
        case allForNow
        case failed(DiscoveryError)
    }

    /// Blocks for one D-Bus call.
    ///
    /// - Parameter report: called by Avahi on the loop's thread.
    init(on connection: AvahiConnection, report: @escaping @Sendable (Report) -> Void) throws(DiscoveryError) {
        callback = Callback(report)
        let browser = avahi_service_type_browser_new(
            connection.client,
            AvahiIfIndex(AVAHI_IF_UNSPEC),
            AvahiProtocol(AVAHI_PROTO_UNSPEC),
            nil,
            AvahiLookupFlags(0),
            { browser, interface, family, event, type, _, _, userdata in
                guard let report = AllTypesBrowser.report(browser, interface, family, event, type) else { return }
                Callback.deliver(report, to: userdata)
            },
            callback.userdata
        )
        guard let browser else { throw connection.lastError }
        self.browser = browser
    }

    func free() { avahi_service_type_browser_free(browser) }

    private static func report(
        _ browser: OpaquePointer?,
        _ interface: AvahiIfIndex,
        _ family: AvahiProtocol,
        _ event: AvahiBrowserEvent,
        _ type: UnsafePointer<CChar>?
    ) -> Report? {
        switch event {
        case AVAHI_BROWSER_ALL_FOR_NOW:
            return .allForNow
        case AVAHI_BROWSER_FAILURE:
            let client = browser.flatMap { avahi_service_type_browser_get_client($0) }
            return .failed(.avahi(code: client.map { avahi_client_errno($0) } ?? DiscoveryError.disconnected))
        case AVAHI_BROWSER_NEW, AVAHI_BROWSER_REMOVE:
            guard let type, let family = AddressFamily(avahi: family) else { return nil }
            let link = Link(interface: interface, family: family)
            let name = String(cString: type)
            return event == AVAHI_BROWSER_NEW ? .appeared(type: name, link) : .disappeared(type: name, link)
        default:
            return nil
        }
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
