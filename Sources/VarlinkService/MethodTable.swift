// SPDX-License-Identifier: Apache-2.0

import JSON
import Varlink

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
