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
    /// - Throws: `VarlinkError` and `VarlinkErrorRecord` are sent unchanged. `JSONShapeError` becomes
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

    func route(_ method: String) throws(VarlinkError) -> Route {
        if let route = routes[method] { return route }
        guard let dot = method.utf8.lastIndex(of: UInt8(ascii: ".")) else { throw .invalidParameter("method") }
        let interface = String(method[..<dot])
        throw interfaces.contains(interface)
            ? .methodNotFound(String(method[method.index(after: dot)...])) : .interfaceNotFound(interface)
    }
}

/// `org.varlink.service`, which every service has.
struct ServiceInterface: VarlinkInterface {
    let name = "org.varlink.service"

    private let info: JSONObject
    private let descriptions: [String: String]

    let description = """
        # Tells what a service offers. Every Varlink service has this interface.
        interface org.varlink.service

        # Who made the service, and the interfaces that it offers.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # The definition text of an interface.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The service does not offer the interface.
        error InterfaceNotFound (interface: string)

        # The interface does not declare the method.
        error MethodNotFound (method: string)

        # The interface declares the method, and this service leaves it out.
        error MethodNotImplemented (method: string)

        # A parameter is missing, or has a type or a value that the method does not take.
        error InvalidParameter (parameter: string)

        # The caller may not do this.
        error PermissionDenied ()

        # The method sends several replies: the call must set "more".
        error ExpectedMore ()

        """

    init(_ service: VarlinkServiceInfo, others: [any VarlinkInterface]) {
        var descriptions = Dictionary(others.map { ($0.name, $0.description) }) { first, _ in first }
        descriptions[name] = description
        self.descriptions = descriptions
        let names = [name] + others.map(\.name)
        info = [
            "vendor": .string(service.vendor),
            "product": .string(service.product),
            "version": .string(service.version),
            "url": .string(service.url),
            "interfaces": .array(names.map { .string($0) }),
        ]
    }

    func isSafe(_ method: String) -> Bool { true }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "GetInfo":
            call.reply(info)
        case "GetInterfaceDescription":
            let name = try call.parameters.string("interface")
            guard let description = descriptions[name] else { throw VarlinkError.interfaceNotFound(name) }
            call.reply(["description": .string(description)])
        default:
            throw VarlinkError.methodNotImplemented(call.method)
        }
    }
}
