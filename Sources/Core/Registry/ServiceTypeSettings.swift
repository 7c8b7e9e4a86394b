// SPDX-License-Identifier: Apache-2.0

/// The usual settings of endpoints that were announced with a service type. Settings of an endpoint override them.
package struct ServiceTypeSettings: Sendable, Hashable {
    /// By service type in lower case, because DNS names are compared without case.
    private var settings: [String: EndpointSettings] = [:]

    /// - Parameter types: pairs of a type such as `_office_rosdk._tcp` and its settings. The last one of a type is used.
    package init(_ types: [(type: String, settings: EndpointSettings)] = []) {
        for (type, settings) in types { self.settings[type.lowercased()] = settings }
    }

    /// The settings of a type; empty if there are none.
    subscript(type: String?) -> EndpointSettings {
        guard let type, !settings.isEmpty else { return EndpointSettings() }
        return settings[type.lowercased()] ?? EndpointSettings()
    }
}
