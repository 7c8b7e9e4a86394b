// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// Which calls a grant allows.
package struct CallFilter: Sendable, Hashable {
    /// Names in one filter, of services and of methods.
    package static let mostNames = 64

    package let services: [String]
    package let methods: [String]
    package let isReadOnly: Bool

    /// Every method of every service that is named.
    ///
    /// - Parameters:
    ///   - services: none stands for the endpoint's data service.
    ///   - methods: none stands for those that only read, if `isReadOnly`.
    /// - Throws: `BrokerError.invalidGrant`
    package init(
        services: [String],
        methods: [String],
        isReadOnly: Bool,
        at endpoint: ServiceNames
    ) throws(BrokerError) {
        let services = services.isEmpty ? [endpoint.data] : services
        let methods = methods.isEmpty && isReadOnly ? ToolCall.readingMethods : methods
        guard !methods.isEmpty else { throw .invalidGrant(reason: "name the methods, or say that it only reads") }
        guard services.count <= Self.mostNames, methods.count <= Self.mostNames else {
            throw .invalidGrant(reason: "more than \(Self.mostNames) names")
        }
        for name in services + methods where !ServiceNames.isValid(name) {
            throw .invalidGrant(reason: "'\(Printable(name))' is no name of a service or method")
        }
        self.services = services
        self.methods = methods
        self.isReadOnly = isReadOnly
    }

    func allows(_ call: ToolCall) -> Bool {
        let (service, method) = (WireName(call.service), WireName(call.method))
        return services.contains { WireName($0) == service } && methods.contains { WireName($0) == method }
            && (!isReadOnly || call.isReading)
    }
}
