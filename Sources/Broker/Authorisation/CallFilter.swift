// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// The calls that a grant permits.
package struct CallFilter: Sendable, Hashable {
    /// Maximum number of service names in one filter, and of method names.
    package static let mostNames = 64

    /// The permitted services.
    package let services: [String]
    /// The permitted methods of each service.
    package let methods: [String]
    /// Whether only calls that read are permitted.
    package let isReadOnly: Bool

    /// Permits every named method of every named service.
    ///
    /// - Parameters:
    ///   - services: if empty, the endpoint's data service.
    ///   - methods: if empty and `isReadOnly`, the methods that only read.
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
