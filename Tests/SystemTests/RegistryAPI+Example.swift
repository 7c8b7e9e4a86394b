// SPDX-License-Identifier: Apache-2.0

import LocalAPI

extension RegistryAPI.Endpoint {
    /// An endpoint as the daemon returns it, for tests of relctl.
    static func example(
        _ id: String,
        _ name: String? = nil,
        _ state: RegistryAPI.State = .announced,
        origin: RegistryAPI.Origin = .discovered,
        at host: String = "10.0.0.1",
        scheme: RegistryAPI.Scheme = .http,
        hidden: Bool = false
    ) -> RegistryAPI.Endpoint {
        RegistryAPI.Endpoint(
            id: id,
            name: name ?? id,
            origin: origin,
            state: state,
            url: "\(scheme.rawValue)://\(host):7099/bin",
            scheme: scheme,
            host: host,
            port: 7_099,
            path: "/bin",
            addresses: ["10.0.0.1"],
            interfaces: [],
            sources: origin == .discovered ? ["avahi"] : [],
            dataService: "DataService",
            loginService: "LoginService",
            txt: [],
            probe: .on,
            hidden: hidden,
            readOnly: false,
            grantsOnly: false,
            sessionExport: false,
            confirm: false,
            acceptUnknownOwner: false
        )
    }
}
