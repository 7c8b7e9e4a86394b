// SPDX-License-Identifier: Apache-2.0

import JSON
import Varlink

/// An interface that a server offers.
public protocol VarlinkInterface: Sendable {
    /// The name, such as `com.example.printing`; the same as in `description`.
    var name: String { get }

    /// The definition text. The server parses it when it is created, and itself rejects calls of methods that are not
    /// declared.
    var description: String { get }

    /// Whether a method only reads, so that calling it twice or by mistake does no harm. Over HTTP such a method can
    /// be called by `GET`. The default is false for all methods.
    func isSafe(_ method: String) -> Bool

    /// Handles one call. Runs on the server's event loop, so it must not block.
    ///
    /// It ends with one final `reply(_:)`, or throws. If the caller wants more, it may first send any number of
    /// `reply(continuing:)`. The task is cancelled when the caller disconnects.
    ///
    /// - Throws: `VarlinkError` and `VarlinkFault` are sent unchanged. `JSONShapeError` becomes
    ///   `InvalidParameter`. Any other error is logged and becomes the server's `failure`, so that its text never
    ///   reaches the peer.
    func call(_ call: VarlinkCall) async throws
}

extension VarlinkInterface {
    /// No method is safe.
    public func isSafe(_ method: String) -> Bool { false }
}

/// Finds the interface that implements a method.
struct MethodTable: Sendable {
    struct Route: Sendable {
        let interface: any VarlinkInterface
        /// The name without the interface.
        let method: String
    }

    private var routes: [String: Route] = [:]
    private var interfaces: Set<String> = []

    init(_ interfaces: [any VarlinkInterface]) throws(VarlinkServerError) {
        for interface in interfaces {
            let description: VarlinkDescription
            do {
                description = try VarlinkDescription(parsing: interface.description)
            } catch {
                throw .invalidDescription(interface: interface.name, error)
            }
            guard description.name == interface.name, self.interfaces.insert(interface.name).inserted else {
                throw .unusableName(interface: interface.name)
            }
            for method in description.methods {
                let route = Route(interface: interface, method: method.name)
                routes["\(interface.name).\(method.name)"] = route
            }
        }
    }

    /// Whether an interface has this name.
    func serves(_ interface: String) -> Bool { Self.canBeName(interface) && interfaces.contains(interface) }

    func route(_ method: String) throws(VarlinkError) -> Route {
        guard Self.canBeName(method) else { throw .invalidParameter("method") }
        if let route = routes[method] { return route }
        guard let dot = method.utf8.lastIndex(of: UInt8(ascii: ".")) else { throw .invalidParameter("method") }
        let interface = String(method[..<dot])
        throw interfaces.contains(interface)
            ? .methodNotFound(String(method[method.index(after: dot)...])) : .interfaceNotFound(interface)
    }
}

extension MethodTable {
    /// Whether a text is short and ASCII, as all names are. Another one would take long to look up.
    private static func canBeName(_ text: String) -> Bool {
        text.utf8.count <= 512 && text.utf8.allSatisfy { $0 < 0x80 }
    }
}

/// `org.varlink.service`, which every service has.
struct ServiceInterface: ServiceAPIServer {
    /// Encoded once, because it never changes and clients ask for it to see whether the daemon answers.
    private let info: ReadyReply
    private let descriptions: [String: String]

    init(_ service: VarlinkServiceInfo, others: [any VarlinkInterface]) {
        let own = (ServiceAPI.name, ServiceAPI.definition)
        descriptions = Dictionary([own] + others.map { ($0.name, $0.description) }) { first, _ in first }
        info = ReadyReply(
            ServiceAPI.GetInfoReply(
                vendor: service.vendor,
                product: service.product,
                version: service.version,
                url: service.url,
                interfaces: [ServiceAPI.name] + others.map(\.name)
            )
        )
    }

    func isSafe(_ method: String) -> Bool { true }

    func getInfo(_ call: TypedCall<ServiceAPI.GetInfoCall>) {
        call.untyped.reply(info)
    }

    func getInterfaceDescription(_ call: TypedCall<ServiceAPI.GetInterfaceDescriptionCall>) throws {
        let name = call.parameters.interface
        guard let description = descriptions[name] else { throw VarlinkError.interfaceNotFound(name) }
        call.reply(.init(description: description))
    }
}
