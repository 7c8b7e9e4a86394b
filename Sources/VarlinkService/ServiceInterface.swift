// SPDX-License-Identifier: Apache-2.0

import JSON
import Varlink

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
